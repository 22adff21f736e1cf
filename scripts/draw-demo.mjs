// Draws the output of the demo into docs/demo.svg. With --check it only compares them.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const output = readFileSync(file('test/golden/demo.txt'), 'utf8');

const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const lines = ['$ npm start', '', ...output.trimEnd().split('\n')];
const columns = Math.max(...lines.map((line) => line.length));
const [width, height] = [columns * 7.85 + 40, lines.length * 17 + 60];

/** The headings of the steps are highlighted. */
function line(text, at) {
  const step = /^(\$ .*|\d\. \w+)(.*)$/.exec(text);
  const [strong, rest] = step === null ? ['', text] : [step[1], step[2]];
  const y = 52 + at * 17;
  return `<text x="20" y="${y}"><tspan class="strong">${escape(strong)}</tspan>${escape(rest)}</text>`;
}

const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width.toFixed(0)} ${height}" role="img" aria-label="npm start: check, generate and plan, against the emulator">
<style>
  text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #d7dae0; white-space: pre; }
  .strong { fill: #ffffff; font-weight: bold; }
</style>
<rect width="100%" height="100%" rx="8" fill="#1e2127"/>
<circle cx="22" cy="20" r="6" fill="#e06c75"/><circle cx="42" cy="20" r="6" fill="#e5c07b"/><circle cx="62" cy="20" r="6" fill="#98c379"/>
${lines.map(line).join('\n')}
</svg>
`;
const picture = file('docs/demo.svg');
if (process.argv.includes('--check')) {
  if (readFileSync(picture, 'utf8') !== svg) {
    console.error('docs/demo.svg differs from test/golden/demo.txt: node scripts/draw-demo.mjs');
    process.exitCode = 1;
  }
} else writeFileSync(picture, svg);
