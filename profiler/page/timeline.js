// Commands of all queues over time, drawn by canvas so that many thousands are no burden; scales, axis and zoom are d3's.

function commandGroup(kind) {
  if (kind === 'kernel') return 'kernel';
  if (kind.startsWith('write')) return 'write';
  if (kind.startsWith('read')) return 'read';
  return 'other';
}

const firstStart = () => d3.min(data.commands.columns.started, start => start || undefined) || 0;

function commandText(i) {
  const {kinds, columns: c} = data.commands;
  const kind = kinds[c.kind[i]], ns = c.ended[i] - c.started[i];
  const lines = [c.kernel[i] >= 0 ? `${data.kernels[c.kernel[i]].label} (kernel)` : kind.replaceAll('_', ' ')];
  lines.push(`${timeText(ns)}, from ${timeText(c.started[i] - firstStart())}; queued ${timeText(c.started[i] - c.queued[i])} before`);
  if (c.bytes[i]) lines.push(`${bytesText(c.bytes[i])}${ns > 0 ? `, ${(c.bytes[i] / ns).toPrecision(3)} GB/s` : ''}`);
  if (commandGroup(kind) === 'write' || commandGroup(kind) === 'read') lines.push(c.flags[i] & 1 ? 'pinned memory' : 'memory that is not pinned');
  if (c.flags[i] & 2) lines.push('the program waited for it');
  if (c.kernel[i] >= 0 && !(c.flags[i] & 4)) lines.push('not counted');
  if (c.status[i]) lines.push(`failed: ${c.status[i]}`);
  return lines.join('\n');
}

function makeTimeline(panel) {
  const {kinds, columns: c} = data.commands;
  const groups = kinds.map(commandGroup);
  // A row a queue, with a lane for kernels and one for the rest.
  const laneHeight = 20, rowHeight = 2 * laneHeight + 18, top = 4;
  const height = top + data.queues.length * rowHeight + 4;
  const rows = data.queues.map(() => []);
  const shown = d3.range(c.kind.length).filter(i => c.started[i] || c.ended[i]);
  for (const i of shown) rows[c.queue[i]].push(i);
  const end = Math.max(1, d3.max(shown, i => c.ended[i]) || 1), begin = firstStart();

  panel.append(element('h2', {}, 'Timeline'),
      element('p', {class: 'faint'}, 'Times of this machine, on which counted launches take longer. Wheel or + and – zoom, dragging or arrows move, N and P go from command to command, 0 shows all.'));
  const legend = element('div', {class: 'legend'});
  for (const [name, text] of [['kernel', 'kernels'], ['write', 'host to device'], ['read', 'device to host'], ['other', 'copies, fills, maps, markers']]) {
    legend.append(element('span', {}, element('i', {style: `background: var(--${name})`}), text));
  }
  const canvas = element('canvas', {tabindex: 0, role: 'img', 'aria-label': 'Commands of each queue over time', id: 'timeline'});
  const axis = d3.create('svg').attr('class', 'axis').attr('height', 24).attr('width', '100%');
  const chosenText = element('p', {class: 'faint', id: 'timeline-chosen', 'aria-live': 'polite'});
  panel.append(legend, canvas, axis.node(), chosenText);

  let transform = d3.zoomIdentity, chosen = -1, width = 0;
  const base = d3.scaleLinear().domain([begin, end]);
  const scale = () => transform.rescaleX(base);

  function draw() {
    const ratio = devicePixelRatio || 1;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    canvas.style.height = `${height}px`;
    const paint = canvas.getContext('2d'), x = scale();
    const colours = Object.fromEntries(['kernel', 'write', 'read', 'other', 'faint', 'rule', 'text'].map(name => [name, colour(name)]));
    paint.scale(ratio, ratio);
    paint.font = '12px system-ui, sans-serif';
    data.queues.forEach((queue, row) => {
      const y = top + row * rowHeight;
      paint.fillStyle = colours.faint;
      const process = data.processes[queue.process];
      const several = process.label ? `${process.label}, ` : data.processes.length > 1 ? `process ${process.number}, ` : '';
      paint.fillText(`${several}queue ${queue.number}${queue.in_order ? '' : ', out of order'}`, 4, y + 12);
      paint.fillStyle = colours.rule;
      paint.fillRect(0, y + rowHeight - 2, width, 1);
      const ends = [-1, -1];  // the last pixel drawn of each lane: what falls on it need not be drawn again
      for (const i of rows[row]) {
        const from = x(c.started[i]), to = Math.max(from + 1, x(c.ended[i]));
        if (to < 0 || from > width) continue;
        const group = groups[c.kind[i]], lane = group === 'kernel' ? 0 : 1;
        if (to <= ends[lane] && i !== chosen) continue;
        ends[lane] = Math.max(ends[lane], to);
        paint.fillStyle = colours[group];
        const laneY = y + 16 + lane * laneHeight;
        paint.fillRect(from, laneY, to - from, laneHeight - 3);
        if (to - from > 50) {
          paint.fillStyle = colour('ground');
          const name = c.kernel[i] >= 0 ? data.kernels[c.kernel[i]].label : kinds[c.kind[i]];
          paint.fillText(name, Math.max(from, 0) + 4, laneY + 13, Math.min(to, width) - Math.max(from, 0) - 8);
        }
        if (i === chosen) {
          paint.strokeStyle = colours.text;
          paint.lineWidth = 2;
          paint.strokeRect(from, laneY, to - from, laneHeight - 3);
        }
      }
    });
    const fromBegin = x.copy().domain(x.domain().map(value => value - begin));
    axis.call(d3.axisBottom(fromBegin).ticks(Math.max(2, width / 110)).tickFormat(timeText));
    // A label in the middle of its tick would be cut at the edges.
    axis.selectAll('.tick').each(function(value) {
      const at = fromBegin(value);
      d3.select(this).select('text').attr('text-anchor', at < 24 ? 'start' : at > width - 24 ? 'end' : 'middle');
    });
  }

  function commandAt(px, py) {
    const row = Math.floor((py - top) / rowHeight);
    if (row < 0 || row >= rows.length) return -1;
    const wantsKernel = py - top - row * rowHeight < 16 + laneHeight, x = scale();
    let best = -1, least = 4;
    for (const i of rows[row]) {
      if ((groups[c.kind[i]] === 'kernel') !== wantsKernel) continue;
      const from = x(c.started[i]), to = Math.max(from + 1, x(c.ended[i]));
      const distance = px < from ? from - px : px > to ? px - to : 0;
      if (distance < least) { least = distance; best = i; }
    }
    return best;
  }

  function choose(i) {
    chosen = i;
    chosenText.textContent = i < 0 ? '' : commandText(i).replaceAll('\n', '; ');
    draw();
  }

  const zoom = d3.zoom().scaleExtent([1, 1e6]).on('zoom', () => { transform = d3.event.transform; draw(); });
  d3.select(canvas).call(zoom).on('dblclick.zoom', null);
  canvas.addEventListener('mousemove', event => {
    const box = canvas.getBoundingClientRect(), i = commandAt(event.clientX - box.left, event.clientY - box.top);
    if (i < 0) return hideTooltip();
    showTooltip(commandText(i), event.clientX, event.clientY);
  });
  canvas.addEventListener('mouseleave', hideTooltip);
  canvas.addEventListener('click', event => {
    const box = canvas.getBoundingClientRect();
    choose(commandAt(event.clientX - box.left, event.clientY - box.top));
  });
  canvas.addEventListener('keydown', event => {
    const view = d3.select(canvas);
    const moves = {ArrowLeft: () => zoom.translateBy(view, 80 / transform.k, 0), ArrowRight: () => zoom.translateBy(view, -80 / transform.k, 0),
      '+': () => zoom.scaleBy(view, 1.5), '-': () => zoom.scaleBy(view, 1 / 1.5), '0': () => zoom.transform(view, d3.zoomIdentity),
      n: () => choose(shown[(shown.indexOf(chosen) + 1) % shown.length]),
      p: () => choose(shown[(shown.indexOf(chosen) + shown.length - 1) % shown.length])};
    if (!moves[event.key]) return;
    moves[event.key]();
    event.preventDefault();
    event.stopPropagation();
  });
  function resize() {
    const now = Math.floor(panel.clientWidth);
    if (!now || now === width) return;
    width = now;
    base.range([0, width]);
    zoom.translateExtent([[0, 0], [width, height]]).extent([[0, 0], [width, height]]);
    draw();
  }
  new ResizeObserver(resize).observe(panel);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  resize();
}
