'use strict';
// Numbers and elements. Text from programs goes into the page as text alone, never as markup.

const data = JSON.parse(document.getElementById('report-data').textContent);

function timeText(ns) {
  if (ns < 1e3) return `${Math.round(ns)} ns`;
  if (ns < 1e6) return `${(ns / 1e3).toPrecision(3)} µs`;
  if (ns < 1e9) return `${(ns / 1e6).toPrecision(3)} ms`;
  return `${(ns / 1e9).toPrecision(3)} s`;
}

function bytesText(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1 << 20) return `${(bytes / 1024).toPrecision(3)} KiB`;
  if (bytes < 1 << 30) return `${(bytes / (1 << 20)).toPrecision(3)} MiB`;
  return `${(bytes / (1 << 30)).toPrecision(3)} GiB`;
}

const countText = d3.format(',');
const shortCount = value => value < 1e5 ? countText(Math.round(value)) : d3.format('.3s')(value);
const sizeText = size => size.join(' × ');

/// element('td', {class: 'x', onclick: f}, 'text', child, ...)
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== null && value !== false) made.setAttribute(key, value);
  }
  made.append(...children.filter(child => child !== null && child !== undefined));
  return made;
}

/// Part of the fewest possible in what was taken, 0 to 1; null if nothing was.
function efficiency(figures, ...names) {
  let taken = 0, fewest = 0;
  for (const name of names) {
    if (!figures || !figures[name]) continue;
    taken += figures[name][0];
    fewest += figures[name][1];
  }
  return taken ? fewest / taken : null;
}

const lanesOf = figures => figures && figures.instructions ? figures.lanes / (32 * figures.instructions) : null;

function percentCell(part) {
  const grade = part === null ? 'faint' : part < 0.5 ? 'bad' : part < 0.8 ? 'middle' : 'good';
  return element('td', {class: grade}, part === null ? '–' : `${Math.round(100 * part)} %`);
}

const tooltip = document.getElementById('tooltip');
function showTooltip(text, x, y) {
  tooltip.textContent = text;
  tooltip.hidden = false;
  const box = tooltip.getBoundingClientRect();
  tooltip.style.left = `${Math.max(4, Math.min(x + 14, innerWidth - box.width - 6))}px`;
  tooltip.style.top = `${Math.max(4, Math.min(y + 14, innerHeight - box.height - 6))}px`;
}
function hideTooltip() { tooltip.hidden = true; }

const colour = name => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
