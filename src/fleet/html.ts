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
import { type LedgerEntry } from './ledger';
import {
  byUrgency,
  refusedEntries,
  type StageStanding,
  stagesOf,
  ZONE_STATES,
  type ZoneStanding,
  type ZoneState,
  zoneStandings,
} from './standings';

/** How each state is shown. */
const STATES = {
  failed: { tone: 'lost', sign: '✕', word: 'Failed', meaning: 'a step failed, or has no result' },
  attention: { tone: 'changed', sign: '!', word: 'Attention', meaning: 'a step needs you' },
  started: { tone: 'new', sign: '▸', word: 'Under way', meaning: 'steps are done, more follow' },
  waiting: { tone: 'none', sign: '○', word: 'Not started', meaning: 'nothing was done yet' },
  migrated: { tone: 'kept', sign: '✓', word: 'Migrated', meaning: 'the legacy WAF is off' },
} as const satisfies Readonly<Record<ZoneState, Look & { readonly meaning: string }>>;

const OUTCOME_LOOKS: Readonly<Record<StageStanding['outcome'], Look>> = {
  failed: { tone: 'lost', sign: '✕', word: 'failed' },
  unknown: { tone: 'lost', sign: '?', word: 'unknown' },
  attention: { tone: 'changed', sign: '!', word: 'attention' },
  waiting: { tone: 'none', sign: '○', word: 'waiting' },
  done: { tone: 'kept', sign: '✓', word: 'done' },
};
const OUTCOMES_BY_URGENCY = Object.keys(OUTCOME_LOOKS);

export function renderFleetHtml(entries: readonly LedgerEntry[]): string {
  const zones = zoneStandings(entries);
  const [first, ...later] = entries.map(({ at }) => at).sort();
  const counts = ZONE_STATES.map((state) => ({
    ...STATES[state],
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

function answerOf(zones: readonly ZoneStanding[]) {
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

function openSection(zones: readonly ZoneStanding[], entries: readonly LedgerEntry[]): Markup {
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

function gridSection(zones: readonly ZoneStanding[]): Markup {
  const stages = stagesOf(zones);
  const rows = zones.toSorted(byUrgency).map((zone): Row => {
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

/** Groups open steps by their cause: most urgent first, then the largest group. Pure. */
function openSteps(zones: readonly ZoneStanding[]) {
  const open = zones.flatMap((zone) =>
    Object.entries(zone.stages).flatMap(([stage, { line, ...standing }]): OpenStep[] => {
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
