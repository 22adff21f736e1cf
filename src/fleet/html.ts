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
import { type LedgerEntry } from './ledger';
import {
  failureGroups,
  type FailureGroup,
  fleetProgress,
  type ZoneProgress,
  type ZoneState,
} from './progress';
import { whenRunAgain } from './resume';
import { refusedEntries, type StageStanding, stagesOf } from './standings';

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
