/** The one style of all pages: light and dark, wide and narrow screens, and paper. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: #fff; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --panel: #f6f8fa;
  --link: #0550ae; --focus: #0550ae;
  --lost: #a40e26; --lost-bg: #ffebe9; --changed: #7d4e00; --changed-bg: #fff8c5;
  --kept: #116329; --kept-bg: #dafbe1; --none: #4d5560; --none-bg: #eaeef2;
  --new: #0550ae; --new-bg: #ddf4ff;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #0d1117; --ink: #e6edf3; --soft: #9ea7b3; --line: #3d444d; --panel: #161b22;
    --link: #79c0ff; --focus: #79c0ff;
    --lost: #ff9492; --lost-bg: #3c1618; --changed: #eac54f; --changed-bg: #33270a;
    --kept: #6bdd80; --kept-bg: #0f2d18; --none: #b7bdc8; --none-bg: #262c36;
    --new: #79c0ff; --new-bg: #0c2d4d;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 6rem; }
body { margin: 0 auto; max-width: 84rem; padding: 0 1.5rem 4rem; background: var(--paper);
  color: var(--ink); font: 1rem/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 2rem 0 .5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.45rem; line-height: 1.25; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h3 { font-size: 1.15rem; margin: 2rem 0 .25rem; }
.tops h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
p { margin: .25rem 0 .75rem; max-width: 48rem; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 2px; }
code { font: .875em/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  overflow-wrap: anywhere; unicode-bidi: isolate; }
.soft { color: var(--soft); }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 1rem; padding: .5rem 1rem; background: var(--paper); z-index: 3; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; }
[hidden] { display: none !important; }
.answer { margin: 1rem 0; padding: 1rem 1.25rem; border: 1px solid var(--line);
  border-left: .5rem solid var(--tone); border-radius: .4rem; background: var(--tone-bg); }
.answer p { margin: 0; max-width: none; }
.answer p:first-child { font-size: 1.45rem; line-height: 1.3; font-weight: 600; }
.answer p + p:not(:empty) { margin-top: .35rem; }
.facts { display: flex; flex-wrap: wrap; gap: .15rem 1.5rem; list-style: none; margin: .5rem 0;
  padding: 0; color: var(--soft); font-size: .92rem; overflow-wrap: anywhere; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: .75rem;
  list-style: none; margin: 1rem 0 .75rem; padding: 0; }
.tiles li { padding: .6rem 1rem; border: 1px solid var(--line); border-left: .4rem solid var(--tone);
  border-radius: .4rem; background: var(--tone-bg); }
.tiles strong { display: block; font-size: 1.75rem; line-height: 1.15; color: var(--tone); }
.tiles b { color: var(--tone); }
.tiles li > span { display: block; font-size: .9em; }
.lost { --tone: var(--lost); --tone-bg: var(--lost-bg); }
.changed { --tone: var(--changed); --tone-bg: var(--changed-bg); }
.kept { --tone: var(--kept); --tone-bg: var(--kept-bg); }
.none { --tone: var(--none); --tone-bg: var(--none-bg); }
.new { --tone: var(--new); --tone-bg: var(--new-bg); }
.share { display: block; width: 100%; height: .7rem; border-radius: .2rem; }
rect { fill: var(--tone); }
.hollow { fill: var(--tone-bg); stroke: var(--tone); stroke-width: 2px; vector-effect: non-scaling-stroke; }
.bars { list-style: none; margin: .75rem 0; padding: 0; max-width: 62rem; }
.bars li { display: grid; grid-template-columns: minmax(0, 22rem) minmax(4rem, 1fr) 10rem;
  gap: 0 1rem; align-items: center; padding: .2rem 0; }
.bars li > span { overflow-wrap: anywhere; }
.command { margin: .35rem 0; padding: .5rem .75rem; background: var(--panel); border: 1px solid var(--line);
  border-radius: .3rem; white-space: pre-wrap; }
#filters { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: .5rem 1.25rem;
  align-items: center; margin: 1.5rem -1.5rem; padding: .75rem 1.5rem; background: var(--panel);
  border-block: 1px solid var(--line); }
fieldset { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: 0; padding: 0; border: 0; min-width: 0; }
#filters legend { float: left; margin-right: 1rem; }
#filters label { white-space: nowrap; }
input[type=checkbox] { width: 1.1rem; height: 1.1rem; vertical-align: -.2rem;
  accent-color: var(--link); }
#search { width: 18rem; max-width: 60vw; margin-left: .5rem; }
#search, #filters button { font: inherit; padding: .35rem .7rem; color: inherit;
  background: var(--paper); border: 1px solid var(--soft); border-radius: .3rem; }
button { cursor: pointer; }
#shown { color: var(--soft); }
.zone { margin-top: 2.5rem; }
.zone + .zone { padding-top: 1.5rem; border-top: 2px solid var(--line); }
main > section { margin-top: 2rem; }
table { width: 100%; border-collapse: collapse; margin: .75rem 0 1rem; font-size: .95rem; }
th, td { padding: .45rem .75rem; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: top; font-weight: normal; overflow-wrap: break-word; }
thead th { background: var(--panel); font-weight: 600; border-bottom: 2px solid var(--line); }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.overview thead button { font: inherit; font-weight: 600; color: inherit; background: none; border: 0; padding: 0;
  text-align: left; text-decoration: underline dotted; }
[aria-sort=ascending] button::after { content: " ▲"; } [aria-sort=descending] button::after { content: " ▼"; }
.overview tbody th { font-weight: 600; }
.overview details { margin: 0; }
.overview summary { padding: 0; }
.overview .share { min-width: 6rem; margin-top: .4rem; }
.settings { table-layout: fixed; }
.settings th:first-child { width: 45%; }
.settings th, .settings td { overflow-wrap: anywhere; }
.card { margin: .75rem 0; border: 1px solid var(--line); border-left: .4rem solid var(--tone); border-radius: .4rem; }
.card > summary, .card > .body { padding: .6rem 1rem; }
.card > summary { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; }
.card > summary::before { content: "▸"; }
.card[open] > summary::before { content: "▾"; }
.card > summary > .why { flex: 1 1 24rem; min-width: 0; overflow-wrap: anywhere; }
.card > .body { border-top: 1px solid var(--line); }
.tops { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); gap: 0 2rem; }
.why, .what { font-weight: 600; }
.where { display: block; margin-top: .15em; color: var(--soft); font-size: .9em; font-weight: normal;
  overflow-wrap: anywhere; }
.badge { display: inline-block; padding: 0 .6rem; border: 1px solid var(--tone); border-radius: 1rem;
  background: var(--tone-bg); color: var(--tone); font-weight: 600; white-space: nowrap; }
.todo { display: block; margin-top: .35em; font-weight: normal; overflow-wrap: anywhere; }
.findings, .steps { padding-left: 1.25rem; max-width: 62rem; overflow-wrap: anywhere; }
.findings li, .steps > li { margin: .7rem 0; }
details { margin: .5rem 0; }
summary { cursor: pointer; padding: .25rem 0; font-weight: 600; }
.rules > li { margin: .75rem 0; overflow-wrap: anywhere; }
.rules ul { padding-left: 1.25rem; }
dt { font-weight: 600; } dd { margin: 0 0 .6rem; max-width: 48rem; }
@media screen and (max-width: 52rem) {
  body { padding: 0 1rem 3rem; }
  html { scroll-padding-top: 1rem; }
  h1 { font-size: 1.5rem; }
  .answer p:first-child { font-size: 1.2rem; }
  .tiles { grid-template-columns: 1fr 1fr; }
  #filters { position: static; margin-inline: -1rem; padding-inline: 1rem; }
  #search { width: 100%; max-width: none; margin: .25rem 0 0; }
  #filters > label { width: 100%; white-space: normal; }
  .bars li { grid-template-columns: 1fr max-content; margin-bottom: .35rem; }
  .bars li > span:first-child { grid-column: 1 / -1; }
  table, tbody, tr, tbody th, tbody td { display: block; width: auto; }
  thead { display: none; }
  tbody tr { padding: .5rem 0; border-bottom: 1px solid var(--line); }
  tbody th, tbody td { border: 0; padding: .15rem .25rem; text-align: left; overflow-wrap: anywhere; }
  .overview tbody td { display: inline-block; }
  .overview tbody td:has(.share) { display: block; }
  td:has(.share)::before { content: none !important; }
  .settings th:first-child { width: auto; }
  td[data-label]::before { content: attr(data-label) ": "; color: var(--soft); }
}
@media print {
  :root { color-scheme: light;
    --paper: #fff; --ink: #000; --soft: #444; --line: #999; --panel: #f2f2f2; --link: #000;
    --lost: #8a0018; --lost-bg: #fff; --changed: #5c3a00; --changed-bg: #fff; --kept: #0a4a1d;
    --kept-bg: #fff; --none: #444; --none-bg: #fff; --new: #033d8b; --new-bg: #fff; }
  @page { margin: 14mm; }
  * { print-color-adjust: exact; }
  body { max-width: none; padding: 0; font-size: 9.5pt; }
  .skip, #filters, .back { display: none !important; }
  .filtered::before { content: "Filtered: not every row is on this print."; font-weight: bold; }
  .zone + .zone { break-before: page; border: 0; margin: 0; }
  .tiles li, tr, .findings li, .rules > li, .steps > li, .answer { break-inside: avoid; }
  .tiles { grid-template-columns: repeat(5, 1fr); }
  th, td { overflow-wrap: anywhere; padding: .25rem .4rem; }
  table { font-size: 8.5pt; } thead { display: table-header-group; }
  h2, h3, h4, summary { break-after: avoid; }
  details:not(.overview details)::details-content { content-visibility: visible; block-size: auto; }
}
@media (forced-colors: active) { .badge, .tiles li, .card, .answer { border-color: CanvasText; } rect { fill: CanvasText; } }
`;
