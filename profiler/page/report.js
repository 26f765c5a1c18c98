// The page: tabs, overview, kernels, advice, search.

const parts = [['overview', 'Overview'], ['timeline', 'Timeline'], ['kernels', 'Kernels'], ['source', 'Source'], ['advice', 'Advice']];
const panelOf = id => document.getElementById(`panel-${id}`);
let showSource = () => {};
// Made when first shown, so that large reports open at once; the timeline needs its width, too.
const makers = {timeline: makeTimeline, kernels: makeKernels, source: panel => { showSource = makeSource(panel); }, advice: makeAdvice};

function make(id) {
  const maker = makers[id];
  if (!maker) return;
  delete makers[id];
  maker(panelOf(id));
}

function openTab(id, focus) {
  for (const [other] of parts) {
    const tab = document.getElementById(`tab-${other}`), is = other === id;
    tab.setAttribute('aria-selected', String(is));
    tab.tabIndex = is ? 0 : -1;
    panelOf(other).hidden = !is;
    if (is && focus) tab.focus();
  }
  make(id);
  search(document.getElementById('search').value);
  hideTooltip();
}

function openSource(kernel, line, file) {
  openTab('source');
  showSource(kernel, line, file);
}

function findingBox(finding, withPlace = true) {
  const name = severityName(finding.severity);
  const box = element('div', {class: `finding ${name}`, 'data-advice': finding.id},
      element('p', {}, element('span', {class: 'badge'}, name), element('b', {}, finding.title), ' ', element('span', {class: 'section'}, finding.section)));
  if (withPlace && finding.kernel >= 0) {
    const kernel = data.kernels[finding.kernel], program = data.programs[kernel.program];
    box.append(element('p', {}, element('button', {class: 'link', onclick: () => openSource(finding.kernel, finding.line || undefined, finding.file)},
        finding.line ? `${kernel.label}, line ${finding.line}${program.has_source ? '' : ` of ${shownName(finding.file)}`}` : kernel.label)));
    const text = finding.line ? textOf(program, finding.file) : null;
    if (text !== null) box.append(element('code', {}, (text.split('\n')[finding.line - 1] || '').trim()));
  }
  if (finding.detail) box.append(element('p', {}, finding.detail));
  box.append(element('p', {class: 'advice'}, finding.advice));
  return box;
}

/// Union of commands' times.
function busyTime(isWanted) {
  const {columns: c} = data.commands;
  let end = 0, busy = 0;
  for (let i = 0; i < c.kind.length; ++i) {  // by start
    if (!isWanted(i) || c.ended[i] <= end) continue;
    busy += c.ended[i] - Math.max(end, c.started[i]);
    end = c.ended[i];
  }
  return busy;
}

function makeOverview(panel) {
  const {kinds, columns: c} = data.commands, all = d3.range(c.kind.length);
  const isTransfer = kinds.map(kind => kind.startsWith('read_') || kind.startsWith('write_'));
  const transfers = all.filter(i => isTransfer[c.kind[i]]);
  const card = (value, text) => element('div', {class: 'card'}, element('b', {}, value), element('span', {}, text));
  const ran = all.filter(i => c.ended[i] && c.started[i]);
  const span = ran.length ? d3.max(ran, i => c.ended[i]) - d3.min(ran, i => c.started[i]) : 0;
  const grave = data.findings.filter(finding => finding.severity === 3).length;
  panel.append(element('div', {class: 'cards'},
      card(String(data.findings.length), `findings, ${grave} of them grave`),
      card(countText(d3.sum(data.kernels, kernel => kernel.launches)), `launches of ${data.kernels.length} kernels`),
      card(timeText(busyTime(i => c.kernel[i] >= 0)), `with kernels, of ${timeText(span)}`),
      card(timeText(busyTime(i => isTransfer[c.kind[i]])), `with transfers: ${transfers.length}, ${bytesText(d3.sum(transfers, i => c.bytes[i]))}`)));
  panel.append(element('h2', {}, 'What to change first'));
  if (!data.findings.length) panel.append(element('p', {}, 'Nothing that the guides advise against.'));
  data.findings.slice(0, 5).forEach(finding => panel.append(findingBox(finding)));
  if (data.findings.length > 5) panel.append(element('button', {class: 'link', onclick: () => openTab('advice')}, `all ${data.findings.length} findings`));
  panel.append(element('h2', {}, 'Kernels by time and by waste'), element('div', {class: 'legend'},
      element('span', {}, element('i', {style: 'background: var(--kernel)'}), 'time here'),
      element('span', {}, element('i', {style: 'background: var(--bad)'}), 'wasted steps: transactions, passes and idle lanes')));
  const top = data.kernels.slice(0, 15), rowHeight = 34, width = 900, left = 220;
  const time = d3.scaleLinear().domain([0, d3.max(top, k => k.time_ns) || 1]).range([0, width - left - 90]);
  const waste = d3.scaleLinear().domain([0, d3.max(top, k => (k.figures || {}).waste || 0) || 1]).range([0, width - left - 90]);
  const svg = d3.create('svg').attr('class', 'bars').attr('viewBox', `0 0 ${width} ${rowHeight * top.length + 4}`).attr('width', '100%').style('max-width', '1000px');
  const row = svg.selectAll('g').data(top).enter().append('g').attr('transform', (k, i) => `translate(0, ${i * rowHeight + 4})`);
  row.append('text').attr('x', left - 8).attr('y', 17).attr('text-anchor', 'end').text(k => k.label.length > 28 ? k.label.slice(0, 27) + '…' : k.label);
  row.append('rect').attr('class', 'time').attr('x', left).attr('height', 12).attr('width', k => Math.max(1, time(k.time_ns)));
  row.append('rect').attr('class', 'waste').attr('x', left).attr('y', 13).attr('height', 12).attr('width', k => waste((k.figures || {}).waste || 0));
  row.append('text').attr('x', k => left + time(k.time_ns) + 6).attr('y', 11).text(k => timeText(k.time_ns));
  row.append('text').attr('x', k => left + waste((k.figures || {}).waste || 0) + 6).attr('y', 24).text(k => k.figures ? shortCount(k.figures.waste) : '');
  panel.append(svg.node());
}

/// Says what it is wherever it stands.
function estimateText(kernel) {
  const e = kernel.estimate, part = (name, ns) => `${name} ${timeText(ns)}`;
  return `Estimated, not measured: its ${countText(kernel.counted)} counted launches would take a ${data.gpu} about ${timeText(e.ns)}, held by ${e.bound} ` +
      `(${part('memory', e.memory_ns)}, ${part('instructions', e.issue_ns)}, ${part('latency', e.latency_ns)}): ${e.bandwidth_gb_s.toPrecision(3)} GB/s of what work-items asked for. ${e.assumptions}`;
}

function makeKernels(panel) {
  const columns = [
    ['kernel', k => k.label, k => element('td', {}, element('button', {class: 'link', onclick: () => openSource(data.kernels.indexOf(k))}, k.label))],
    ['launches', k => k.launches, k => element('td', {}, countText(k.launches))],
    ['time', k => k.time_ns, k => element('td', {}, timeText(k.time_ns))],
    ['median', k => k.times_ns.median, k => element('td', {}, timeText(k.times_ns.median))],
    ['group', k => d3.max(k.configurations[0].local_size), k => element('td', {}, sizeText(k.configurations[0].local_size))],
    ['occupancy', k => (k.configurations[0].occupancy || {}).percent ?? -1, k => {
      const o = k.configurations[0].occupancy;
      return o ? element('td', {title: `${o.warps} of ${o.most} warps, ${o.groups} groups; limit: ${o.limit}`}, `${Math.round(o.percent)} %`) : element('td', {}, '–');
    }],
    ['registers', k => k.registers, k => element('td', {}, String(k.registers))],
    ['loads', k => efficiency(k.figures, 'loads') ?? 2, k => percentCell(efficiency(k.figures, 'loads'))],
    ['stores', k => efficiency(k.figures, 'stores') ?? 2, k => percentCell(efficiency(k.figures, 'stores'))],
    ['local', k => efficiency(k.figures, 'local') ?? 2, k => percentCell(efficiency(k.figures, 'local'))],
    ['lanes', k => lanesOf(k.figures) ?? 2, k => percentCell(lanesOf(k.figures))],
    ['waste', k => (k.figures || {}).waste || 0, k => element('td', {}, k.figures ? shortCount(k.figures.waste) : '–')],
  ];
  panel.append(element('h2', {}, 'Kernels'), element('p', {class: 'faint'},
      'loads, stores: the fewest transactions, of those made; local: the fewest steps, of those taken; lanes: those active. Time is of this machine, counting included.'));
  const head = element('tr'), rows = element('tbody', {id: 'kernel-rows'});
  let sorted = 'time', down = true;
  function fill() {
    const by = columns.find(column => column[0] === sorted)[1];
    const list = [...data.kernels].sort((a, b) => (down ? -1 : 1) * d3.ascending(by(a), by(b)));
    rows.replaceChildren(...list.map(kernel => element('tr', {}, ...columns.map(column => column[2](kernel)))));
    head.querySelectorAll('th').forEach((th, i) => th.setAttribute('aria-sort', columns[i][0] !== sorted ? 'none' : down ? 'descending' : 'ascending'));
  }
  for (const [name] of columns) {
    head.append(element('th', {scope: 'col'}, element('button', {onclick: () => { down = sorted === name ? !down : name !== 'kernel'; sorted = name; fill(); }}, name)));
  }
  panel.append(element('div', {class: 'scroll'}, element('table', {}, element('thead', {}, head), rows)));
  fill();
  const detail = element('div');
  panel.append(element('h2', {}, 'Sizes and counters'), detail);
  data.kernels.forEach(kernel => {
    const box = element('details', {}, element('summary', {}, kernel.label));
    box.addEventListener('toggle', () => {
      if (!box.open || box.children.length > 1) return;
      box.append(element('div', {class: 'scroll'}, element('table', {}, element('tr', {}, ...['global', 'local', 'groups', 'launches', 'time', 'occupancy'].map(name => element('th', {}, name))),
          ...kernel.configurations.map(one => element('tr', {}, element('td', {}, sizeText(one.global_size)), element('td', {}, sizeText(one.local_size)), element('td', {}, countText(one.groups)),
              element('td', {}, countText(one.launches)), element('td', {}, timeText(one.time_ns)), element('td', {}, one.occupancy ? `${Math.round(one.occupancy.percent)} %, by ${one.occupancy.limit}` : '–'))))));
      if (kernel.more_configurations) box.append(element('p', {class: 'faint'}, `and ${kernel.more_configurations} more sizes`));
      if (kernel.estimate) box.append(element('p', {class: 'estimate'}, estimateText(kernel)));
      box.append(element('div', {class: 'scroll'}, element('table', {}, ...Object.entries(kernel.counters || {}).map(([name, value]) => element('tr', {},
          element('td', {title: data.counter_meanings[name]?.meaning ?? ''}, name), element('td', {}, Number.isInteger(value) ? countText(value) : value.toFixed(2)),
          element('td', {style: 'text-align: left; white-space: normal'}, data.counter_meanings[name]?.meaning ?? ''))))));
    });
    detail.append(box);
  });
}

function makeAdvice(panel) {
  panel.append(element('h2', {}, 'Advice'), element('p', {class: 'faint'}, 'Sections are of NVIDIA’s OpenCL Best Practices Guide unless another is named.'));
  if (!data.findings.length) panel.append(element('p', {}, 'Nothing that the guides advise against.'));
  data.findings.slice(0, 300).forEach(finding => panel.append(findingBox(finding)));
}

/// In what the page has made so far; again whenever a tab opens.
function search(text) {
  const wanted = text.trim().toLowerCase();
  if (wanted === '' && search.before === '') return;
  search.before = wanted;
  const matches = node => wanted !== '' && node.textContent.toLowerCase().includes(wanted);
  document.querySelectorAll('#kernel-rows tr, table.source tbody tr:not(.extra)').forEach(row => row.classList.toggle('match', matches(row)));
  document.querySelectorAll('#panel-advice .finding, #panel-overview .finding').forEach(box => { box.hidden = wanted !== '' && !matches(box); });
  const first = document.querySelector('section:not([hidden]) tr.match');
  if (first) first.scrollIntoView({block: 'nearest'});
}

function start() {
  document.title = `weftprof ${data.command_line.join(' ')}`;
  document.getElementById('command-line').textContent = data.command_line.join(' ');
  document.getElementById('facts').textContent = `Counted by the rules of ${data.gpu ? `a ${data.gpu}, ` : ''}compute capability ${data.capability}; ran on ${data.processor} with ${data.workers} workers, ` +
      `${new Date(1000 * data.time).toLocaleString()}${data.ending ? `; ${data.ending}` : ''}`;
  const tabs = document.getElementById('tabs');
  parts.forEach(([id, name]) => tabs.append(element('button', {role: 'tab', id: `tab-${id}`, 'aria-controls': `panel-${id}`, onclick: () => openTab(id)}, name)));
  tabs.addEventListener('keydown', event => {
    const now = parts.findIndex(([id]) => document.getElementById(`tab-${id}`).getAttribute('aria-selected') === 'true');
    const next = {ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: parts.length - 1}[event.key];
    if (next === undefined) return;
    openTab(parts[(next + parts.length) % parts.length][0], true);
    event.preventDefault();
  });
  document.addEventListener('keydown', event => {
    if (event.target.matches('input, select, canvas') || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === '/') {
      document.getElementById('search').focus();
      event.preventDefault();
    } else if (event.key >= '1' && event.key <= String(parts.length)) {
      openTab(parts[Number(event.key) - 1][0], true);
    }
  });
  makeOverview(panelOf('overview'));
  document.getElementById('search').addEventListener('input', event => search(event.target.value));
  addEventListener('beforeprint', () => parts.forEach(([id]) => make(id)));
  openTab('overview');
}

search.before = '';
start();
