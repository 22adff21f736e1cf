import * as z from 'zod';
import { positionOfState } from '../cloudflare/waf-migration';
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
  sentence,
  shareBar,
  table,
  tiles,
  time,
} from '../html/components';
import { type Markup, markup, NOTHING } from '../html/document';
import { type LedgerEntry, type ZoneEntry } from './ledger';
import { type SameRun, whenRunAgain } from './resume';
import {
  lastCommands,
  refusedEntries,
  SHOWS_NEW,
  type StageStanding,
  stagesOf,
  type ZoneStanding,
  zoneStandings,
} from './standings';

/** How each state is shown, in the order of urgency. */
const STATES: Readonly<Record<ZoneState, Look & { readonly meaning: string }>> = {
  failed: { tone: 'lost', sign: '✕', word: 'Failed', meaning: 'a step failed, or has no result' },
  attention: {
    tone: 'changed',
    sign: '!',
    word: 'Attention',
    meaning: 'decisions, differences or manual steps remain',
  },
  started: { tone: 'new', sign: '▸', word: 'Under way', meaning: 'steps are done, more follow' },
  waiting: {
    tone: 'none',
    sign: '○',
    word: 'Not started',
    meaning: 'listed, nothing was done yet',
  },
  migrated: { tone: 'kept', sign: '✓', word: 'Migrated', meaning: 'the new WAF is on' },
};
const ORDER = Object.keys(STATES);

/** How each outcome is shown. */
const OUTCOMES: Readonly<Record<StageStanding['outcome'], Look & { readonly meaning: string }>> = {
  done: { tone: 'kept', sign: '✓', word: 'done', meaning: 'nothing is left to do' },
  attention: {
    tone: 'changed',
    sign: '!',
    word: 'attention',
    meaning: 'a step needs you',
  },
  failed: { tone: 'lost', sign: '✕', word: 'failed', meaning: 'ended with an error' },
  unknown: { tone: 'lost', sign: '?', word: 'unknown', meaning: 'started, without a result' },
  waiting: { tone: 'none', sign: '○', word: 'waiting', meaning: 'listed, not started' },
};

/** Renders the progress of all zones of a ledger as one HTML page. Pure. */
export function renderFleetHtml(entries: readonly LedgerEntry[]): string {
  const zones = fleetProgress(entries);
  const times = entries.map(({ at }) => at).sort();
  const counts = Object.entries(STATES).map(([state, look]) => ({
    ...look,
    count: zones.filter((zone) => zone.state === state).length,
  }));
  const [first = '', last = ''] = [times[0], times.at(-1)];
  return renderPage({
    title: `Migration of ${counted(zones.length, 'zone')}`,
    answer: answerOf(zones),
    facts: [
      ...(last === '' ? [] : [markup`from ${time(first)} to ${time(last)}`]),
      'from the local ledger; no API calls were made',
    ],
    body: markup`${tiles(counts)}${shareBar(counts)}
${openSection(zones, entries)}
${gridSection(zones)}`,
  });
}

function answerOf(zones: readonly ZoneProgress[]) {
  const of = (state: ZoneState): number => zones.filter((zone) => zone.state === state).length;
  const [failed, attention] = [of('failed'), of('attention')];
  // a later step can have failed
  const migrated = zones.filter(({ place }) => place === 'new').length;
  const others = [
    [failed, 'failed'],
    [attention, attention === 1 ? 'waits for you' : 'wait for you'],
    [of('started'), 'under way'],
    [of('waiting'), 'not started'],
  ] as const;
  const open = others.flatMap(([count, words]) =>
    count > 0 ? [`${grouped(count)} ${words}`] : [],
  );
  const rest = open.length === 0 ? '' : `; ${open.join(', ')}`;
  const isDone = of('migrated') === zones.length;
  const tone = failed > 0 ? 'lost' : attention > 0 ? 'changed' : isDone ? 'kept' : 'none';
  const next = isDone
    ? ''
    : failed + attention > 0
      ? markup`<a href="#open">What to do</a>`
      : 'No zone needs you: run the next step.';
  return {
    tone,
    words: `${grouped(migrated)} of ${counted(zones.length, 'zone')} migrated${rest}.`,
    next,
  } as const;
}

/** Renders the open steps by cause, with the command that resumes them. */
function openSection(zones: readonly ZoneProgress[], entries: readonly LedgerEntry[]): Markup {
  const open = failureGroups(zones, entries).map(failureItem);
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

function failureItem(group: FailureGroup): Markup {
  const { stage, outcome, cause, code, hint, zones } = group;
  const names = zones.map(
    (one) => markup`<li>${one.name}${one.cause === cause ? '' : `: ${firstLine(one.cause)}`}</li>`,
  );
  const list =
    zones.length === 1
      ? markup`<span class="where">Zone ${zones[0]?.name ?? ''}</span>`
      : fold(counted(zones.length, 'zone'), markup`<ul>${names}</ul>`);
  const resume =
    group.command === undefined
      ? NOTHING
      : markup`<span class="where">${sentence(whenRunAgain(group))}:</span>${command(`cf-waf-migrate ${group.command}`)}`;
  return markup`<li>${badge(OUTCOMES[outcome])} <b>${stage}</b>: ${firstLine(cause)}${code === undefined ? NOTHING : markup` <code>${code}</code>`}${list}${hint === undefined ? NOTHING : remedyOf(hint)}${resume}</li>
`;
}

/** Renders the table of zones and stages, most urgent first. */
function gridSection(zones: readonly ZoneProgress[]): Markup {
  const stages = stagesOf(zones);
  const rows = [...zones]
    .sort((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state))
    .map((zone): Row => {
      const look = STATES[zone.state];
      return {
        tone: look.tone,
        cells: [
          history(zone),
          badge(look),
          zone.place ?? 'unknown',
          ...stages.map((stage) => cell(zone.stages[stage])),
        ],
      };
    });
  const meanings = Object.values(OUTCOMES).map(
    (look) => markup`<li>${badge(look)} ${look.meaning}</li>`,
  );
  const grid = table({
    name: 'overview',
    caption: 'The result of each step. Zones that need you come first',
    head: ['Zone', 'State', 'WAF', ...stages],
    rows,
  });
  return section(
    'All zones',
    markup`${filterBar({ label: 'Filter the zones', placeholder: 'zone, step, message', choices: Object.values(STATES) })}<ul class="legend">${meanings}</ul>
${grid}`,
  );
}

const cell = (standing: StageStanding | undefined): Markup | string =>
  standing === undefined ? '' : badge(OUTCOMES[standing.outcome]);

const MOST_HISTORY = 20;

/** Renders the steps of a zone, latest first. */
function history({ zone, name, history: all }: ZoneProgress): Markup {
  const items = all.slice(0, MOST_HISTORY).map(({ stage, outcome, line, at, error }) => {
    const code = error === undefined ? NOTHING : markup` <code>${error.code}</code>`;
    return markup`<li>${time(at)} <b>${stage}</b> ${badge(OUTCOMES[outcome])} ${firstLine(line)}${code}</li>
`;
  });
  const left = all.length - MOST_HISTORY;
  const more = left > 0 ? markup`<li>and ${counted(left, 'earlier step')}</li>` : NOTHING;
  return fold(
    markup`<span class="what">${name}</span>`,
    markup`<code class="soft">${zone}</code>
<ul class="history">
${items}${more}</ul>`,
  );
}

/** Which WAF a zone has, according to its last successful step; undefined if no step shows it. */
type Place = 'legacy' | 'both' | 'new';

/** The progress of a zone, exactly one of these. */
type ZoneState = 'failed' | 'attention' | 'started' | 'waiting' | 'migrated';

/** The progress of one zone. */
interface ZoneProgress extends ZoneStanding {
  readonly place: Place | undefined;
  readonly state: ZoneState;
  /** The finished steps, latest first. */
  readonly history: readonly ZoneEntry[];
}

const READING = ['check', 'status', 'report', 'fetch-config'];

/** The last results that count: steps that only read a migrated zone do not affect its progress. */
const relevantStages = ({ stages }: ZoneStanding, place: Place | undefined) =>
  Object.entries(stages).filter(([stage]) => place !== 'new' || !READING.includes(stage));

const resultSchema = z.object({ migrationState: z.string() });

/** Returns the progress of all zones of a ledger. Pure. */
function fleetProgress(entries: readonly LedgerEntry[]): ZoneProgress[] {
  const histories = groupBy(
    entries.flatMap((entry) => (entry.event === 'zone' ? entry : [])),
    ({ zone }) => zone,
  );
  return zoneStandings(entries).map((zone) => {
    const history: readonly ZoneEntry[] = histories.get(zone.zone) ?? [];
    const place = placeOf(history);
    return { ...zone, place, state: stateOf(zone, place), history: history.toReversed() };
  });
}

function placeOf(history: readonly ZoneEntry[]): Place | undefined {
  let place: Place | undefined;
  for (const { stage, outcome, result } of history) {
    // only `finish` switches the legacy WAF off, and it is irreversible
    if (outcome === 'done' && SHOWS_NEW.includes(stage)) return 'new';
    const { migrationState } = resultSchema.safeParse(result).data ?? {};
    const position = positionOfState(migrationState);
    if (position === 'moved') return 'new';
    if (position === 'validation') place = 'both';
    if (position === 'start') place = 'legacy';
  }
  return place;
}

function stateOf(zone: ZoneStanding, place: Place | undefined): ZoneState {
  const relevant = relevantStages(zone, place).map(([, { outcome }]) => outcome);
  if (relevant.includes('failed') || relevant.includes('unknown')) return 'failed';
  if (relevant.includes('attention')) return 'attention';
  if (place === 'new' && !relevant.includes('waiting')) return 'migrated';
  return relevant.includes('done') || place === 'new' ? 'started' : 'waiting';
}

/** Zones whose step failed for the same reason. */
interface FailureGroup extends SameRun {
  readonly outcome: 'failed' | 'unknown' | 'attention';
  readonly cause: string;
  readonly code: string | undefined;
  readonly hint: string | undefined;
  /** Each with its own message: the code can be the same for several causes. */
  readonly zones: readonly { readonly name: string; readonly cause: string }[];
  /** The command line of the last run of this step, which resumes it. */
  readonly command: string | undefined;
}

/** Groups open steps by their cause: failures first, then the largest group. Pure. */
function failureGroups(
  zones: readonly ZoneProgress[],
  entries: readonly LedgerEntry[],
): FailureGroup[] {
  const commandOf = lastCommands(entries);
  const open = zones.flatMap((zone) =>
    relevantStages(zone, zone.place).flatMap(([stage, { outcome, line, error, request }]) => {
      if (outcome === 'done' || outcome === 'waiting') return [];
      const cause = withoutZone(line, zone);
      const { code, hint } = error ?? {};
      const command = commandOf({ stage, request });
      const group = { stage, request, outcome, cause, code, hint, command };
      return {
        key: JSON.stringify([outcome, stage, request, code ?? cause]),
        group,
        zone: { name: zone.name, cause },
      };
    }),
  );
  const order = ['failed', 'unknown', 'attention'];
  return [...groupBy(open, ({ key }) => key).values()]
    .map((all) => ({ ...all[0].group, zones: all.map(({ zone }) => zone) }))
    .sort(
      (one, other) =>
        order.indexOf(one.outcome) - order.indexOf(other.outcome) ||
        other.zones.length - one.zones.length ||
        compareTexts(one.stage, other.stage),
    );
}

/** Replaces the zone's id and name, so that lines of different zones can be equal. */
function withoutZone(line: string, { zone, name }: ZoneStanding): string {
  const own = [`zone ${zone}`, zone, name].map((text) => text.replaceAll('.', '\\.')).join('|');
  // not in a path
  return line.replace(new RegExp(`(?<![\\w./-])(?:${own})(?![\\w/-]|\\.\\w)`, 'g'), 'the zone');
}
