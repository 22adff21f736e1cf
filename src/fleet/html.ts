import { findingCodes, firstOfEachCode } from '../core/finding';
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
import { type LedgerEntry, readResult, refusedEntries, type StageRefusal, STAGES } from './ledger';
import {
  byUrgency,
  commandToRepeat,
  describeProgress,
  isUnprotected,
  openFindings,
  openStages,
  stagesOf,
  ZONE_STATES,
  type ZoneStanding,
  type ZoneState,
  zoneStandings,
} from './standings';
import { type StageStanding } from './zone-results';

/** How each state is shown. */
const STATES = {
  failed: { tone: 'lost', sign: '✕', word: 'Failed', meaning: 'a step failed, or has no result' },
  attention: { tone: 'changed', sign: '!', word: 'Attention', meaning: 'a step needs attention' },
  started: { tone: 'new', sign: '▸', word: 'Under way', meaning: 'steps are done, more follow' },
  waiting: { tone: 'none', sign: '○', word: 'Not started', meaning: 'nothing was done yet' },
  migrated: {
    tone: 'kept',
    sign: '✓',
    word: 'Migrated',
    meaning: 'the legacy WAF is off, no recorded step is open',
  },
} as const satisfies Readonly<Record<ZoneState, Look & { readonly meaning: string }>>;

const OUTCOME_LOOKS: Readonly<Record<StageStanding['outcome'], Look>> = {
  failed: { tone: 'lost', sign: '✕', word: 'failed' },
  unknown: { tone: 'lost', sign: '?', word: 'unknown' },
  attention: { tone: 'changed', sign: '!', word: 'attention' },
  waiting: { tone: 'none', sign: '○', word: 'waiting' },
  done: { tone: 'kept', sign: '✓', word: 'done' },
};
const WITHOUT_WAF: Look = { tone: 'changed', sign: '!', word: 'without a WAF' };
const OUTCOMES_BY_URGENCY = Object.keys(OUTCOME_LOOKS);

export function renderFleetHtml(entries: readonly LedgerEntry[]): string {
  const zones = zoneStandings(entries);
  const refused = refusedEntries(entries);
  const { length: off } = zones.filter(isUnprotected);
  const [first, ...later] = entries.map(({ at }) => at).sort();
  const counts = ZONE_STATES.map((state) => ({
    ...STATES[state],
    count: zones.filter((zone) => zone.state === state).length,
  }));
  return renderPage({
    title: `Migration of ${counted(zones.length, 'zone')}`,
    answer: answerOf(zones, refused.length),
    facts: [
      ...(first === undefined
        ? []
        : [markup`from ${time(first)} to ${time(later.at(-1) ?? first)}`]),
      ...(off === 0 ? [] : [`${counted(off, 'zone')} without a WAF`]),
      'from the local ledger; no API calls were made',
    ],
    body: markup`${tiles(counts)}
${openSection(zones, refused)}
${gridSection(zones)}`,
  });
}

function answerOf(zones: readonly ZoneStanding[], refused: number) {
  const of = (state: ZoneState): number => zones.filter((zone) => zone.state === state).length;
  const words = describeProgress(zones);
  if (refused === 0 && of('migrated') === zones.length)
    return { tone: 'kept', words, next: '' } as const;
  const open = markup`<a href="#open">What to do</a>`;
  if (of('failed') > 0) return { tone: 'lost', words, next: open } as const;
  if (of('attention') > 0) return { tone: 'changed', words, next: open } as const;
  const next = refused > 0 ? open : 'No zone needs attention: run the next step.';
  return { tone: 'none', words, next } as const;
}

function openSection(zones: readonly ZoneStanding[], refused: readonly StageRefusal[]): Markup {
  const open = openSteps(zones);
  if (open.length + refused.length === 0) return NOTHING;
  const entries = groupBy(refused, ({ stage, error }) => JSON.stringify([stage, error.code]));
  return markup`<section><h2 id="open">What to do</h2>
<ol class="steps">
${open.map(openItem)}${[...entries.values()].map(refusedItem)}</ol></section>
`;
}

function refusedItem(refused: readonly [StageRefusal, ...StageRefusal[]]): Markup {
  const [{ stage, error }, ...others] = refused;
  const messages = refused.map((one) => markup`<li>${one.error.message}</li>`);
  const list =
    others.length === 0
      ? error.message
      : fold(`${grouped(refused.length)} refused`, markup`<ul>${messages}</ul>`);
  return markup`<li>${badge({ tone: 'lost', sign: '✕', word: 'refused' })} <b>${stage}</b>: <code>${error.code}</code> ${list}${toDo(refused)}</li>
`;
}

interface OpenStep extends Omit<StageStanding, 'line' | 'at'> {
  readonly stage: string;
  readonly name: string;
  /** The result in one line, without the zone. */
  readonly cause: string;
}

function openItem(steps: readonly [OpenStep, ...OpenStep[]]): Markup {
  const [{ stage, outcome, cause, error, name }, ...others] = steps;
  // the code can be the same for several causes
  const names = steps.map(
    (one) => markup`<li>${one.name}${one.cause === cause ? '' : `: ${firstLine(one.cause)}`}</li>`,
  );
  const list =
    others.length === 0
      ? markup`<span class="where">Zone ${name}</span>`
      : fold(counted(steps.length, 'zone'), markup`<ul>${names}</ul>`);
  const lines = [...new Set(steps.flatMap(commandToRepeat))];
  const resume =
    lines.length === 0
      ? NOTHING
      : markup`<span class="where">Run it again:</span>${lines.map((line) => command(`cf-waf-migrate ${line}`))}`;
  const code = error === undefined ? NOTHING : markup` <code>${error.code}</code>`;
  return markup`<li>${badge(OUTCOME_LOOKS[outcome])} <b>${stage}</b>: ${firstLine(cause)}${code}${list}${toDo(steps)}${resume}</li>
`;
}

/** How to resolve the findings of several steps, or their errors. */
function toDo(steps: readonly Parameters<typeof openFindings>[0][]): Markup[] {
  const findings = firstOfEachCode(steps.flatMap(openFindings)).map(({ remedy }) => remedy);
  const [hint] = steps.flatMap(({ error }) => error?.hint ?? []);
  const remedies = findings.length > 0 || hint === undefined ? findings : [hint];
  return remedies.map(remedyOf);
}

function gridSection(zones: readonly ZoneStanding[]): Markup {
  const stages = stagesOf(zones);
  const rows = zones.toSorted(byUrgency).map((zone): Row => {
    const look = STATES[zone.state];
    const cells = stages.map((stage) => zone.stages[stage]);
    return {
      tone: look.tone,
      cells: [
        markup`<span class="what">${zone.name}</span> <code class="soft">${zone.zone}</code>`,
        isUnprotected(zone) ? markup`${badge(look)} ${badge(WITHOUT_WAF)}` : badge(look),
        ...cells.map((standing) => (standing ? badge(lookOf(standing)) : '')),
      ],
    };
  });
  const grid = table({
    name: 'overview',
    caption: 'The result of each step. Zones that need attention come first',
    head: ['Zone', 'State', ...stages],
    rows,
  });
  return section(
    'All zones',
    markup`${filterBar({ label: 'Filter the zones', placeholder: 'zone, step, message', choices: Object.values(STATES) })}
${grid}`,
  );
}

function lookOf(standing: StageStanding): Look {
  const look = OUTCOME_LOOKS[standing.outcome];
  const { lost } = readResult(standing).summary;
  return lost === 0 ? look : { ...look, word: `${look.word}, ${grouped(lost)} lost` };
}

/** Groups open steps by their cause: most urgent first, then the largest group. Pure. */
function openSteps(zones: readonly ZoneStanding[]) {
  const open = zones.flatMap((zone) =>
    withLastReading(openStages(zone)).map(([stage, { line, ...standing }]): OpenStep => ({
      ...standing,
      stage,
      name: zone.name,
      cause: withoutZone(line, zone),
    })),
  );
  const urgencyOf = ({ outcome }: OpenStep): number => OUTCOMES_BY_URGENCY.indexOf(outcome);
  const groups = groupBy(open, (step) => {
    const { outcome, stage, request, error } = step;
    // lines can name a file of the zone
    const codes = findingCodes(openFindings(step)) || readResult(step).codes;
    return JSON.stringify([outcome, stage, request, error?.code ?? codes]);
  });
  return [...groups.values()].sort(
    (one, other) =>
      urgencyOf(one[0]) - urgencyOf(other[0]) ||
      other.length - one.length ||
      compareTexts(one[0].stage, other[0].stage),
  );
}

/** Of the steps that only read a zone, the last one counts: it has the same blockers. */
function withLastReading(open: readonly (readonly [string, StageStanding])[]) {
  const isReading = (stage: string): boolean => STAGES.get(stage)?.reads === true;
  const times = open.flatMap(([stage, { at }]) => (isReading(stage) ? at : [])).sort();
  return open.filter(([stage, { at }]) => !isReading(stage) || at === times.at(-1));
}

/** Replaces the zone's id and name, so that lines of different zones can be equal. */
function withoutZone(line: string, { zone, name }: ZoneStanding): string {
  const own = [`zone ${zone}`, zone, name].map((text) => text.replace(/\W/g, '\\$&')).join('|');
  // not in a path
  return line.replace(new RegExp(`(?<![\\w./-])(?:${own})(?![\\w/-]|\\.\\w)`, 'g'), 'the zone');
}
