// The picture of one warp's access: 32 lanes above, below what they touch: pieces of device memory, or banks of local memory.

const svgNode = (name, attributes, text) => {
  const node = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  return node;
};

/// How many bytes a transaction brings, and how many banks there are, by the compute capability.
function warpRules(access) {
  const old = Number(data.capability) < 2;
  return {piece: old ? (access.width === 1 ? 32 : access.width === 2 ? 64 : 128) : 32, banks: old ? 16 : 32};
}

function warpTargets(access) {
  const rules = warpRules(access), targets = new Map();
  const lanes = d3.range(32).filter(lane => access.mask >>> lane & 1);
  const isLocal = access.space === 'local';
  for (const lane of lanes) {
    const address = access.addresses[lane];
    const first = isLocal ? Math.floor(address / 4) : Math.floor(address / rules.piece);
    const last = isLocal ? Math.floor((address + access.width - 1) / 4) : Math.floor((address + access.width - 1) / rules.piece);
    for (let at = first; at <= last; ++at) {
      const key = isLocal ? at % rules.banks : access.space === 'constant' ? address : at;
      if (!targets.has(key)) targets.set(key, {key, lanes: [], words: new Set()});
      targets.get(key).lanes.push(lane);
      targets.get(key).words.add(at);
    }
  }
  if (isLocal) {
    for (let bank = 0; bank < rules.banks; ++bank) {
      if (!targets.has(bank)) targets.set(bank, {key: bank, lanes: [], words: new Set()});
    }
  }
  return [...targets.values()].sort((a, b) => a.key - b.key);
}

function warpPicture(access) {
  const targets = warpTargets(access), isLocal = access.space === 'local', rules = warpRules(access);
  const width = 980, laneWidth = width / 32, bottom = 150, targetWidth = Math.min(120, width / targets.length);
  const left = (width - targetWidth * targets.length) / 2;
  const svg = svgNode('svg', {viewBox: `0 12 ${width} 182`, role: 'img'});
  const used = targets.filter(target => target.lanes.length);
  const what = isLocal ? `${used.length} of ${rules.banks} banks` : access.space === 'constant' ? `${used.length} addresses` : `${used.length} pieces of ${rules.piece} bytes`;
  const title = `${access.space} ${access.kind} of ${access.width} bytes: ${d3.range(32).filter(lane => access.mask >>> lane & 1).length} lanes, ${what}`;
  svg.append(svgNode('title', {}, title));
  const paint = target => {
    if (!target.lanes.length) return 'transparent';
    if (isLocal) return d3.interpolateRgb(colour('good'), colour('bad'))(Math.min(1, (target.words.size - 1) / 7));
    return d3.interpolateRgb(colour('good'), colour('bad'))(Math.min(1, Math.max(0, used.length * rules.piece / (32 * access.width) - 1) / 3));
  };
  targets.forEach((target, n) => {
    const x = left + (n + 0.5) * targetWidth;
    for (const lane of target.lanes) {
      svg.append(svgNode('line', {x1: (lane + 0.5) * laneWidth, y1: 40, x2: x, y2: bottom, stroke: paint(target), 'stroke-width': 1.2, opacity: 0.8}));
    }
  });
  for (let lane = 0; lane < 32; ++lane) {
    const live = access.mask >>> lane & 1;
    const group = svgNode('g', live ? {} : {class: 'idle'});
    group.append(svgNode('rect', {x: lane * laneWidth + 1.5, y: 18, width: laneWidth - 3, height: 22, rx: 3, fill: live ? colour('kernel') : 'none', stroke: colour('rule')}));
    const label = svgNode('text', {x: (lane + 0.5) * laneWidth, y: 33}, lane);
    if (live) label.style.fill = colour('ground');
    group.append(label, svgNode('title', {}, live ? `lane ${lane}: byte ${access.addresses[lane]}` : `lane ${lane} is not active`));
    svg.append(group);
  }
  const step = Math.max(1, Math.ceil(34 / targetWidth));
  targets.forEach((target, n) => {
    const x = left + n * targetWidth, words = target.words.size;
    const group = svgNode('g', {});
    group.append(svgNode('rect', {x: x + 1, y: bottom, width: Math.max(1, targetWidth - 2), height: 24, rx: 2, fill: paint(target), stroke: colour('rule')}),
        svgNode('title', {}, isLocal ? `bank ${target.key}: ${words} words for ${target.lanes.length} lanes`
                                     : `byte ${access.space === 'constant' ? target.key : target.key * rules.piece}: ${target.lanes.length} lanes`));
    svg.append(group);
    if (n % step === 0) svg.append(svgNode('text', {x: x + targetWidth / 2, y: bottom + 38}, isLocal ? target.key : access.space === 'constant' ? target.key : target.key * rules.piece));
    if (isLocal && words > 1) {
      const label = svgNode('text', {x: x + targetWidth / 2, y: bottom + 16}, `${words}`);
      label.style.fill = colour('ground');
      svg.append(label);
    }
  });
  // Beside the picture, which is wider than a phone.
  const caption = 'Above the lanes of a warp, below ' + (isLocal ? 'the banks of local memory; a number is of words that wait for each other.'
      : access.space === 'constant' ? 'the addresses of constant memory, one at a time.' : `the memory that is touched, in pieces of ${rules.piece} bytes, by the first byte of each.`);
  const cost = access.cost, taken = Math.max(cost.transactions || 0, cost.passes || 0);
  const text = `${title}. ${taken} ${isLocal || access.space === 'constant' ? 'steps' : 'transactions'}, ${cost.fewest || 0} would do.`;
  return element('div', {class: 'warp'}, element('div', {class: 'faint'}, text), element('div', {class: 'scroll'}, svg), element('div', {class: 'faint'}, caption));
}
