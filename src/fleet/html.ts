import { type Finding } from '../core/finding';
import { counted, firstLine } from '../core/printable';
import { badge, type Look, table, tiles } from '../html/components';
import { htmlDocument, type Markup, markup, NOTHING } from '../html/document';
import {
  type StageRefusal,
  stagesOf,
  type StageStanding,
  waitingZones,
  type ZoneStanding,
} from './standings';

/** How a zone stands as a whole: as its worst stage. */
type Standing = StageStanding['outcome'];

/** Worst first; the class is that of the same tone in the report of settings. */
const LOOKS = [
  {
    standing: 'failed',
    sign: '✕',
    tone: 'lost',
    title: 'failed',
    meaning: 'a command ended with an error',
  },
  {
    standing: 'unknown',
    sign: '?',
    tone: 'lost',
    title: 'unknown',
    meaning: 'begun, and nothing says how it ended',
  },
  {
    standing: 'attention',
    sign: '!',
    tone: 'changed',
    title: 'need attention',
    meaning: 'done, and something is left for you',
  },
  {
    standing: 'waiting',
    sign: '○',
    tone: 'without-effect',
    title: 'not begun',
    meaning: 'listed by a run that never came to it',
  },
  {
    standing: 'done',
    sign: '✓',
    tone: 'kept',
    title: 'done',
    meaning: 'everything that was listed is done',
  },
] as const;

/** Shown only where there are such zones. */
const RARE: readonly Standing[] = ['unknown'];

/**
 * Where all zones of a ledger stand, as one HTML page that needs nothing beside itself: numbers, then
 * what is open, then a line a zone and a column a command. Pure.
 */
export function renderFleetHtml(
  zones: readonly ZoneStanding[],
  refused: readonly StageRefusal[],
  findings: readonly Finding[],
): string {
  const stages = stagesOf(zones);
  const count = counted(zones.length, 'zone');
  const last = zones
    .flatMap((zone) => Object.values(zone.stages).map(({ at }) => at))
    .sort()
    .at(-1);
  const heading = `Where ${count} ${zones.length === 1 ? 'stands' : 'stand'}`;
  const content = markup`<main id="report" tabindex="-1">
<h1>${heading}</h1>
<p class="soft">From the local ledger; no API calls were made.${last === undefined ? NOTHING : markup` Its last entry is of <time>${last}</time>.`}</p>
${zoneTiles(zones)}
${openPart(zones, refused)}
${notes(findings)}
${zoneTable(zones, stages)}</main>
`;
  return htmlDocument({ title: heading, skip: 'Skip to the zones', content }).html;
}

function zoneTiles(zones: readonly ZoneStanding[]): Markup {
  const counts = LOOKS.map(({ standing, title, ...look }) => ({
    ...look,
    standing,
    word: title,
    count: zones.filter((zone) => standingOf(zone) === standing).length,
  }));
  return tiles(counts.filter(({ standing, count }) => count > 0 || !RARE.includes(standing)));
}

/** Every stage that is not done, those that failed first; of what was not begun the number says enough. */
function openPart(zones: readonly ZoneStanding[], refused: readonly StageRefusal[]): Markup {
  const open = zones
    .flatMap((zone) =>
      Object.entries(zone.stages).map(([stage, standing]) => ({ zone, stage, standing })),
    )
    .filter(({ standing: { outcome } }) => ['failed', 'unknown', 'attention'].includes(outcome))
    .sort((one, other) => rank(one.standing.outcome) - rank(other.standing.outcome));
  const waiting = waitingZones(zones).map(
    (line) => markup`<li>${badge(lookOf('waiting'))} ${line}</li>
`,
  );
  const rejected = refused.map(
    ({ stage, error: { code, message, hint } }) =>
      markup`<li>${badge(REFUSED)} ${stage}: ${message} <code>${code}</code><span class="todo">→ ${hint}</span></li>
`,
  );
  if (open.length + rejected.length + waiting.length === 0) return NOTHING;
  const items = open.map(({ zone, stage, standing: { outcome, line, error } }) => {
    const code = error === undefined ? NOTHING : markup` <code>${error.code}</code>`;
    const hint = error === undefined ? NOTHING : markup`<span class="todo">→ ${error.hint}</span>`;
    return markup`<li>${badge(lookOf(outcome))} <b>${zone.name}</b> <code class="soft">${zone.zone}</code>, ${stage}: ${firstLine(line)}${code}${hint}</li>
`;
  });
  return markup`<section class="zone only" aria-labelledby="open"><h2 id="open">What is open</h2>
<ul class="findings">
${items}${rejected}${waiting}</ul></section>`;
}

function notes(findings: readonly Finding[]): Markup {
  if (findings.length === 0) return NOTHING;
  const items = findings.map(
    ({ code, subject, message }) =>
      markup`<li><code>${code}</code> ${subject}: ${message}</li>
`,
  );
  return markup`<section class="zone only" aria-labelledby="notes"><h2 id="notes">About the ledger</h2>
<ul class="findings">
${items}</ul></section>`;
}

function zoneTable(zones: readonly ZoneStanding[], stages: readonly string[]): Markup {
  const rows = [...zones]
    .sort((one, other) => rank(standingOf(one)) - rank(standingOf(other)))
    .map((zone) => {
      const cells = stages.map((stage) => cell(zone.stages[stage]));
      return markup`<tr role="row"><th scope="row" role="rowheader"><span class="what">${zone.name}</span><code class="soft">${zone.zone}</code></th>${cells}</tr>
`;
    });
  const all = table({
    name: 'overview',
    caption: 'All zones, those that failed first, and how each command went',
    head: [['subject', 'Zone'], ...stages.map((stage) => ['stage', stage] as const)],
    rows,
  });
  return markup`<section class="zone only" aria-labelledby="all"><h2 id="all">All zones</h2>
${all}</section>
`;
}

function cell(standing: StageStanding | undefined): Markup {
  if (standing === undefined) {
    return markup`<td role="cell"><span class="soft">not begun</span></td>`;
  }
  const { outcome, line, at } = standing;
  return markup`<td role="cell">${badge(lookOf(outcome))}<span class="where">${firstLine(line)}</span><span class="where"><time>${at}</time></span></td>`;
}

const REFUSED: Look = { tone: 'lost', sign: '✕', word: 'refused' };

function lookOf(outcome: Standing): Look {
  const { sign, tone } = LOOKS[rank(outcome)] ?? LOOKS[0];
  return { sign, tone, word: outcome };
}

function standingOf({ stages }: ZoneStanding): Standing {
  const ranks = Object.values(stages).map(({ outcome }) => rank(outcome));
  return (LOOKS[Math.min(...ranks)] ?? LOOKS[0]).standing;
}

/** 0 is the worst. */
function rank(outcome: Standing): number {
  return LOOKS.findIndex(({ standing }) => standing === outcome);
}
