import { positionOfState } from '../cloudflare/waf-migration';
import { objectOf, textOf } from '../core/json';
import { compareTexts, groupBy } from '../core/lists';
import { counted, firstLine, grouped } from '../core/printable';
import {
  badge,
  command,
  filterBar,
  fold,
  type Look,
  remedyOf,
  renderPage,
  type Row,
  section,
  table,
  tiles,
  time,
} from '../html/components';
import { type Markup, markup, NOTHING } from '../html/document';
import { type LedgerEntry, STAGES, type ZoneEntry } from './ledger';
import {
  refusedEntries,
  type StageStanding,
  stagesOf,
  type ZoneStanding,
  zoneStandings,
} from './standings';

/** How each state is shown, in the order of urgency. */
const STATES = {
  failed: { tone: 'lost', sign: '✕', word: 'Failed', meaning: 'a step failed, or has no result' },
  attention: { tone: 'changed', sign: '!', word: 'Attention', meaning: 'a step needs you' },
  started: { tone: 'new', sign: '▸', word: 'Under way', meaning: 'steps are done, more follow' },
  waiting: { tone: 'none', sign: '○', word: 'Not started', meaning: 'nothing was done yet' },
  migrated: { tone: 'kept', sign: '✓', word: 'Migrated', meaning: 'the new WAF is on' },
} as const satisfies Readonly<Record<string, Look & { readonly meaning: string }>>;
type ZoneState = keyof typeof STATES;
const BY_URGENCY = Object.keys(STATES);

const OUTCOME_LOOKS: Readonly<Record<StageStanding['outcome'], Look>> = {
  failed: { tone: 'lost', sign: '✕', word: 'failed' },
  unknown: { tone: 'lost', sign: '?', word: 'unknown' },
  attention: { tone: 'changed', sign: '!', word: 'attention' },
  waiting: { tone: 'none', sign: '○', word: 'waiting' },
  done: { tone: 'kept', sign: '✓', word: 'done' },
};
const OUTCOMES_BY_URGENCY = Object.keys(OUTCOME_LOOKS);

export function renderFleetHtml(entries: readonly LedgerEntry[]): string {
  const zones = fleetProgress(entries);
  const [first, ...later] = entries.map(({ at }) => at).sort();
  const counts = Object.entries(STATES).map(([state, look]) => ({
    ...look,
    count: zones.filter((zone) => zone.state === state).length,
  }));
  return renderPage({
    title: `Migration of ${counted(zones.length, 'zone')}`,
    answer: answerOf(zones),
    facts: [
      ...(first === undefined
        ? []
        : [markup`from ${time(first)} to ${time(later.at(-1) ?? first)}`]),
      'from the local ledger; no API calls were made',
    ],
    body: markup`${tiles(counts)}
${openSection(zones, entries)}
${gridSection(zones)}`,
  });
}

function answerOf(zones: readonly ZoneProgress[]) {
  const of = (state: ZoneState): number => zones.filter((zone) => zone.state === state).length;
  const [failed, attention] = [of('failed'), of('attention')];
  const isDone = of('migrated') === zones.length;
  const tone = failed > 0 ? 'lost' : attention > 0 ? 'changed' : isDone ? 'kept' : 'none';
  const next = isDone
    ? ''
    : failed + attention > 0
      ? markup`<a href="#open">What to do</a>`
      : 'No zone needs you: run the next step.';
  return {
    tone,
    words: `${grouped(of('migrated'))} of ${counted(zones.length, 'zone')} migrated.`,
    next,
  } as const;
}

function openSection(zones: readonly ZoneProgress[], entries: readonly LedgerEntry[]): Markup {
  const open = openSteps(zones).map(openItem);
  const refused = refusedEntries(entries).map(
    ({ stage, error: { code, message, hint } }) =>
      markup`<li>${badge({ tone: 'lost', sign: '✕', word: 'refused' })} ${stage}: ${message} <code>${code}</code>${remedyOf(hint)}</li>
`,
  );
  if (open.length + refused.length === 0) return NOTHING;
  return markup`<section><h2 id="open">What to do</h2>
<ol class="steps">
${open}${refused}</ol></section>
`;
}

interface OpenStep extends Omit<StageStanding, 'line' | 'result' | 'at'> {
  readonly stage: string;
  readonly name: string;
  /** The result in one line, without the zone. */
  readonly cause: string;
}

function openItem(steps: readonly [OpenStep, ...OpenStep[]]): Markup {
  const [{ stage, outcome, cause, error, command: line, name }, ...others] = steps;
  // the code can be the same for several causes
  const names = steps.map(
    (one) => markup`<li>${one.name}${one.cause === cause ? '' : `: ${firstLine(one.cause)}`}</li>`,
  );
  const list =
    others.length === 0
      ? markup`<span class="where">Zone ${name}</span>`
      : fold(counted(steps.length, 'zone'), markup`<ul>${names}</ul>`);
  const resume =
    line === undefined
      ? NOTHING
      : markup`<span class="where">Run it again:</span>${command(`cf-waf-migrate ${line}`)}`;
  const hint = error === undefined ? NOTHING : remedyOf(error.hint);
  return markup`<li>${badge(OUTCOME_LOOKS[outcome])} <b>${stage}</b>: ${firstLine(cause)}${codeOf(error)}${list}${hint}${resume}</li>
`;
}

const codeOf = (error: StageStanding['error']): Markup =>
  error === undefined ? NOTHING : markup` <code>${error.code}</code>`;

function gridSection(zones: readonly ZoneProgress[]): Markup {
  const stages = stagesOf(zones);
  const rows = [...zones]
    .sort((one, other) => BY_URGENCY.indexOf(one.state) - BY_URGENCY.indexOf(other.state))
    .map((zone): Row => {
      const look = STATES[zone.state];
      const cells = stages.map((stage) => zone.stages[stage]);
      return {
        tone: look.tone,
        cells: [
          markup`<span class="what">${zone.name}</span> <code class="soft">${zone.zone}</code>`,
          badge(look),
          ...cells.map((standing) => (standing ? badge(OUTCOME_LOOKS[standing.outcome]) : '')),
        ],
      };
    });
  const grid = table({
    name: 'overview',
    caption: 'The result of each step. Zones that need you come first',
    head: ['Zone', 'State', ...stages],
    rows,
  });
  return section(
    'All zones',
    markup`${filterBar({ label: 'Filter the zones', placeholder: 'zone, step, message', choices: Object.values(STATES) })}
${grid}`,
  );
}

interface ZoneProgress extends ZoneStanding {
  readonly state: ZoneState;
  /** The last results that count: steps that only read a migrated zone do not affect its progress. */
  readonly relevant: readonly (readonly [string, StageStanding])[];
}

function fleetProgress(entries: readonly LedgerEntry[]): ZoneProgress[] {
  const migrated = new Set(
    entries.flatMap((entry) => (entry.event === 'zone' && showsMigrated(entry) ? entry.zone : [])),
  );
  return zoneStandings(entries).map((zone) => {
    const isMigrated = migrated.has(zone.zone);
    const relevant = Object.entries(zone.stages).filter(
      ([stage]) => !isMigrated || STAGES.get(stage)?.reads !== true,
    );
    const outcomes = relevant.map(([, { outcome }]) => outcome);
    return { ...zone, relevant, state: stateOf(outcomes, isMigrated) };
  });
}

/** Only `finish` switches the legacy WAF off, and it is irreversible. */
function showsMigrated({ stage, outcome, result }: ZoneEntry): boolean {
  const position = positionOfState(textOf(objectOf(result)['migrationState']));
  return position === 'moved' || (outcome === 'done' && STAGES.get(stage)?.showsNew === true);
}

function stateOf(outcomes: readonly StageStanding['outcome'][], isMigrated: boolean): ZoneState {
  if (outcomes.includes('failed') || outcomes.includes('unknown')) return 'failed';
  if (outcomes.includes('attention')) return 'attention';
  if (isMigrated && !outcomes.includes('waiting')) return 'migrated';
  return outcomes.includes('done') || isMigrated ? 'started' : 'waiting';
}

/** Groups open steps by their cause: most urgent first, then the largest group. Pure. */
function openSteps(zones: readonly ZoneProgress[]) {
  const open = zones.flatMap((zone) =>
    zone.relevant.flatMap(([stage, { line, ...standing }]): OpenStep[] => {
      const { outcome } = standing;
      if (outcome === 'done' || outcome === 'waiting') return [];
      return [{ ...standing, stage, name: zone.name, cause: withoutZone(line, zone) }];
    }),
  );
  const urgencyOf = ({ outcome }: OpenStep): number => OUTCOMES_BY_URGENCY.indexOf(outcome);
  const groups = groupBy(open, ({ outcome, stage, request, error, cause }) =>
    JSON.stringify([outcome, stage, request, error?.code ?? cause]),
  );
  return [...groups.values()].sort(
    (one, other) =>
      urgencyOf(one[0]) - urgencyOf(other[0]) ||
      other.length - one.length ||
      compareTexts(one[0].stage, other[0].stage),
  );
}

/** Replaces the zone's id and name, so that lines of different zones can be equal. */
function withoutZone(line: string, { zone, name }: ZoneStanding): string {
  const own = [`zone ${zone}`, zone, name].map((text) => text.replace(/\W/g, '\\$&')).join('|');
  // not in a path
  return line.replace(new RegExp(`(?<![\\w./-])(?:${own})(?![\\w/-]|\\.\\w)`, 'g'), 'the zone');
}
