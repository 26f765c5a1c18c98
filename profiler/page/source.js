// A kernel's source with counters beside each line.

const isProgramFile = file => file === '' || file.startsWith('<');

/// Of a file that lines are of; null: not known.
function textOf(program, file) {
  if (program.has_source && isProgramFile(file)) return program.source;
  const found = (program.files || []).find(one => one.name === file);
  return found ? found.text : null;
}

const shownName = file => file.replace('/<weft>/headers/', '').replace(/^<|>$/g, '') || 'program source';

function severityName(severity) { return ['', 'low', 'medium', 'high'][severity]; }

function pairText(pair) { return pair ? `${shortCount(pair[0])} / ${shortCount(pair[1])}` : ''; }

function lineTooltip(line) {
  return Object.entries(line.counters).map(([name, value]) => {
    const unit = (data.counter_meanings[name] || {}).unit;
    return `${name}: ${unit === '%' || unit === 'percent' ? `${value.toFixed(1)} %` : countText(Math.round(100 * value) / 100)}`;
  }).slice(0, 24).join('\n');
}

function memoryPair(figures) {
  const names = ['loads', 'stores', 'atomics', 'images', 'private'].filter(name => figures[name]);
  return names.length ? [d3.sum(names, name => figures[name][0]), d3.sum(names, name => figures[name][1])] : null;
}

function stepsPair(figures) {
  const names = ['local', 'constant'].filter(name => figures[name]);
  return names.length ? [d3.sum(names, name => figures[name][0]), d3.sum(names, name => figures[name][1])] : null;
}

/// The kernel's lines of a file, or all of it; beside them what they counted.
function sourceTable(number, file, worst, isWhole, chosenLine) {
  const kernel = data.kernels[number], text = textOf(data.programs[kernel.program], file), texts = text === null ? [] : text.split('\n');
  const counted = new Map((kernel.lines || []).filter(line => line.file === file).map(line => [line.line, line]));
  const byLine = new Map();
  for (const finding of data.findings) {
    if (finding.kernel === number && finding.line && finding.file === file) byLine.set(finding.line, [...(byLine.get(finding.line) || []), finding]);
  }
  const numbers = [...counted.keys()].filter(line => line > 0);
  const first = texts.length && !isWhole && numbers.length ? Math.max(1, d3.min(numbers) - 8) : 1;
  const last = texts.length && !isWhole && numbers.length ? Math.min(texts.length, d3.max(numbers) + 4) : Math.max(texts.length, d3.max(numbers) || 0);
  const names = ['line', 'source', 'warps', 'lanes', 'transactions', 'steps', 'diverge', ''];
  const table = element('table', {class: 'source'}, element('thead', {}, element('tr', {},
      ...names.map((name, n) => element('th', n === 1 ? {style: 'text-align: left'} : {}, name)))));
  const rows = element('tbody');
  table.append(rows);
  for (let at = first; at <= last; ++at) {
    const line = counted.get(at);
    if (!texts.length && !line) continue;
    const heat = line ? line.figures.waste / worst : 0;
    const row = element('tr', {style: heat > 0.005 ? `background: rgba(var(--heat), ${(0.06 + 0.4 * heat).toFixed(3)})` : null},
        element('td', {class: 'number'}, String(at)), element('td', {class: 'text'}, texts[at - 1] ?? ''));
    const own = (kernel.accesses || []).filter(access => access.line === at && access.file === file);
    if (line) {
      const f = line.figures, lanes = lanesOf(f);
      row.append(element('td', {}, f.instructions ? shortCount(f.instructions) : ''), element('td', {class: lanes !== null && lanes < 0.5 ? 'bad' : lanes !== null && lanes < 0.8 ? 'middle' : ''}, lanes === null ? '' : `${Math.round(100 * lanes)} %`));
      for (const pair of [memoryPair(f), stepsPair(f)]) {
        row.append(element('td', {class: pair && pair[0] > 2 * pair[1] ? 'bad' : pair && pair[0] > 1.2 * pair[1] ? 'middle' : ''}, pairText(pair)));
      }
      row.append(element('td', {class: f.branches && f.branches[1] ? 'middle' : ''}, f.branches ? `${shortCount(f.branches[1])} of ${shortCount(f.branches[0])}` : ''));
      row.addEventListener('mousemove', event => showTooltip(lineTooltip(line), event.clientX, event.clientY));
      row.addEventListener('mouseleave', hideTooltip);
    } else {
      row.append(...d3.range(5).map(() => element('td')));
    }
    const button = own.length ? element('button', {class: 'button warp-button', 'aria-expanded': 'false', title: 'What a warp touches here'}, 'warp') : null;
    row.append(element('td', {}, button));
    // On a phone's width a line's counters stand below it, each with its name (report.css).
    [...row.children].forEach((cell, n) => { if (n > 1) cell.dataset.name = names[n]; });
    rows.append(row);
    for (const finding of byLine.get(at) || []) {
      rows.append(element('tr', {class: 'extra'}, element('td', {colspan: 8}, findingBox(finding, false))));
    }
    if (button) {
      let open = null;
      const toggle = () => {
        hideTooltip();
        if (open) {
          open.remove();
          open = null;
        } else {
          open = element('tr', {class: 'extra'}, element('td', {colspan: 8}, ...own.map(warpPicture)));
          row.after(open);
        }
        button.setAttribute('aria-expanded', String(open !== null));
      };
      button.addEventListener('click', toggle);
      if (at === chosenLine) toggle();
    }
    if (at === chosenLine) row.classList.add('chosen');
  }
  return table;
}

function makeSource(panel) {
  const choice = element('select', {id: 'source-kernel', 'aria-label': 'Kernel'});
  data.kernels.forEach((kernel, i) => choice.append(element('option', {value: i}, kernel.label)));
  const all = element('input', {type: 'checkbox', id: 'source-all'});
  const body = element('div');
  panel.append(element('h2', {}, 'Source'),
      element('div', {class: 'controls'}, element('label', {}, 'Kernel ', choice), element('label', {}, all, ' the whole program')), body);

  function show(number, chosenLine, chosenFile) {
    choice.value = number;
    body.replaceChildren();
    const kernel = data.kernels[number];
    if (!kernel) return;
    const program = data.programs[kernel.program];
    body.append(element('p', {class: 'faint'}, `Built with “${program.options}”. Steps are given as taken / the fewest possible; lanes are those active of 32. Heat is what is wasted.`));
    if (!kernel.lines) body.append(element('p', {}, 'No launch of this kernel was counted.'));
    // A table for each file that lines of the kernel are of: those of the program, whether there is a text or not, and others with a text.
    const files = [...new Set((kernel.lines || []).filter(line => line.line).map(line => line.file))].filter(file => isProgramFile(file) || textOf(program, file) !== null);
    if (!files.length && program.has_source) files.push('');
    const worst = Math.max(1, d3.max(kernel.lines || [], line => line.figures.waste) || 1);
    for (const file of files) {
      if (files.length > 1) body.append(element('h3', {}, shownName(file)));
      if (textOf(program, file) === null) body.append(element('p', {}, 'The program came as a binary: there is no text of it. Lines by number:'));
      body.append(element('div', {class: 'scroll'}, sourceTable(number, file, worst, all.checked, chosenFile === undefined || chosenFile === file ? chosenLine : undefined)));
    }
    const elsewhere = (kernel.lines || []).filter(line => !files.includes(line.file));
    if (elsewhere.length) {
      body.append(element('h3', {}, 'In other files'), element('div', {class: 'scroll'}, element('table', {}, ...elsewhere.map(line => element('tr', {},
          element('td', {}, `${line.file}:${line.line}`), element('td', {}, pairText(memoryPair(line.figures))), element('td', {}, pairText(stepsPair(line.figures))))))));
    }
    const chosen = body.querySelector('tr.chosen');
    if (chosen) chosen.scrollIntoView({block: 'center'});
  }
  choice.addEventListener('change', () => show(Number(choice.value)));
  all.addEventListener('change', () => show(Number(choice.value)));
  show(0);
  return show;
}
