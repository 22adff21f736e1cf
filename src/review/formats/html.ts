import { counted, grouped } from '../../core/printable';
import {
  badge,
  barList,
  columnChart,
  command,
  filterBar,
  findingLists,
  fold,
  legend,
  type Look,
  madeFacts,
  type Made,
  renderPage,
  section,
  sentence,
  signOff,
  time,
  type Tone,
} from '../../html/components';
import { type Markup, markup, NOTHING, type Part } from '../../html/document';
import { type Change, type ItemCount, type RuleAnswer } from '../comparison';
import { type NotProposed } from '../propose/choose-changes';
import { type ProposedChange } from '../propose/apply-changes';
import { type Proposal } from '../propose/proposal';
import { UNDECIDABLE } from '../query/events';
import { type Review } from '../review';
import {
  answerOf,
  CHANGE_TONES,
  describe,
  effectLine,
  effectLines,
  knownHours,
  outcomeCounts,
  percent,
  type RuleEffects,
  rulesWithEffects,
} from './words';

/** The review as one HTML file: it needs no network, and its charts are inline. */
export function renderHtml(review: Review, made?: Made): string {
  const { requests, findings, intake, proposal, effect } = review;
  const seen = review.rules.flatMap(({ firstSeen, lastSeen }) => [firstSeen, lastSeen]);
  const times = seen.filter((at) => at !== '').sort();
  const [first = '', last = ''] = [times[0], times.at(-1)];
  const outcomes = outcomeCounts(review).map(({ words, share, ...part }) => ({
    ...part,
    label: words,
    note: `${grouped(part.count)} (${share})`,
  }));
  const basis = intake === undefined ? '' : `${counted(intake.events, 'event')} from `;
  const rules = rulesWithEffects(review.rules);
  const answer = answerOf(review);
  const isOpen = rules.length > 0 || review.undecidable > 0;
  return renderPage({
    title: 'Legacy WAF and new WAF compared',
    answer: { ...answer, next: nextOf(review, answer.tone) },
    facts: [
      `${basis}${counted(requests, 'request')}`,
      ...(first === '' ? [] : [markup`differences from ${time(first)} to ${time(last)}`]),
      ...madeFacts(made),
    ],
    body: markup`${section('Requests by outcome', barList(outcomes))}
${timeline(review)}
${findings.length === 0 ? NOTHING : section('About the data', findingLists(findings))}
${rules.length === 0 ? NOTHING : ruleSection(rules, proposal)}
${undecidable(review)}
${hasChanges(proposal) ? proposalSection(proposal) : NOTHING}
${effect === undefined ? NOTHING : effectSection(effectLines(effect))}
${isOpen ? signOff(['Enforce the new WAF', 'Enforce it with the proposal', 'Do not enforce it']) : NOTHING}`,
  });
}

const hasChanges = (proposal: Proposal | undefined): proposal is Proposal =>
  proposal !== undefined && proposal.changes.length > 0;

function nextOf({ proposal, rules }: Review, tone: Tone): Part {
  if (hasChanges(proposal)) return markup`<a href="#proposal">See what is proposed</a>`;
  if (rules.length === 0 && tone === 'none') {
    return 'Before you enforce the new WAF, review more events from validation mode.';
  }
  return rules.length === 0
    ? 'No rule would change anything.'
    : markup`Check the rules below, or let the tool propose changes:${command('cf-waf-migrate review --events <file> --config <file> --propose proposal.json')}`;
}

/** Requests by hour, by outcome; by day if there are many hours. */
function timeline(review: Review): Markup {
  const hours = knownHours(review);
  if (hours.length === 0) return NOTHING;
  const isLong = hours.length > 24 * 14;
  const columns = new Map<string, (typeof hours)[number]['parts']>();
  for (const { hour, parts } of hours) {
    const label = isLong ? hour.slice(0, 10) : `${hour.replace('T', ' ')}:00 UTC`;
    columns.set(label, [...(columns.get(label) ?? []), ...parts]);
  }
  const totals = new Map<string, (typeof hours)[number]['parts'][number]>();
  for (const part of hours.flatMap(({ parts }) => parts)) {
    const count = (totals.get(part.outcome)?.count ?? 0) + part.count;
    totals.set(part.outcome, { ...part, count });
  }
  const bars = [...columns].map(([label, parts]) => ({ label, parts }));
  const total = hours.reduce((sum, hour) => sum + hour.total, 0);
  return section(
    'Requests over time',
    markup`<p class="soft">Requests in which the two WAFs differ or cannot be compared.</p>
${columnChart(bars, {
  caption: `Requests by ${isLong ? 'day' : 'hour'}`,
  words: `${counted(total, 'request')} from ${bars[0]?.label ?? ''} to ${bars.at(-1)?.label ?? ''}`,
})}
${legend([...totals.values()].map(({ words, tone, hollow = false, count }) => ({ word: words, tone, hollow, count })))}`,
  );
}

const CHANGE_LOOKS: Readonly<Record<Change, Pick<Look, 'sign' | 'word'>>> = {
  'newly-blocked': { sign: '✕', word: 'Newly blocked' },
  'no-longer-blocked': { sign: '○', word: 'No longer blocked' },
  stricter: { sign: '▲', word: 'More strictly' },
  laxer: { sign: '▽', word: 'Less strictly' },
  undecidable: { sign: '?', word: 'Undecidable' },
  'newly-logged': { sign: '+', word: 'Newly logged' },
  'no-longer-logged': { sign: '−', word: 'No longer logged' },
};

const FILTERS: readonly Look[] = [
  { tone: 'lost', sign: '✕', word: 'Blocked, or no longer blocked' },
  { tone: 'changed', sign: '≠', word: 'More or less strictly' },
  { tone: 'none', sign: '?', word: 'Logged, or undecidable' },
];

/** The most cards that a page holds. */
const MOST_RULES = 500;

function ruleSection(rules: readonly RuleEffects[], proposal: Proposal | undefined): Markup {
  const left = rules.length - MOST_RULES;
  const more =
    left > 0 ? markup`<p>and ${counted(left, 'more rule')}: pass --json for all.</p>` : NOTHING;
  return markup`${filterBar({
    label: 'Filter the rules',
    placeholder: 'rule, path, client',
    choices: FILTERS,
  })}<section class="zone"><h2>Rules, largest effect first</h2>
<div class="group">${rules.slice(0, MOST_RULES).map((rule, index) => ruleCard(rule, index < 3, proposal))}</div>${more}</section>
`;
}

function ruleCard(rule: RuleEffects, isOpen: boolean, proposal: Proposal | undefined): Markup {
  const { side, ruleId, name, ruleset, effects } = rule;
  const [heaviest] = effects;
  const { tone } = CHANGE_TONES[heaviest.change];
  const own = <One extends object>(all: readonly One[], idOf: (one: One) => string): One[] =>
    all.filter((one) => idOf(one) === ruleId);
  const changes = own(proposal?.changes ?? [], ({ evidence }) => evidence.ruleId);
  const refused = own(proposal?.notProposed ?? [], (one) => one.ruleId);
  const most = Math.max(...effects.map(({ requests }) => requests));
  const bars = effects.map((effect) => ({
    ...CHANGE_TONES[effect.change],
    count: effect.requests,
    label: effectLine(effect),
    note: most === 0 ? '' : percent(effect.share),
  }));
  const looks = [...new Set(effects.map(({ change }) => change))].map((change) =>
    badge({ ...CHANGE_LOOKS[change], tone: CHANGE_TONES[change].tone }),
  );
  return markup`<details class="card ${tone}" data-tone="${tone}"${isOpen ? markup` open` : NOTHING}><summary>${looks} <span class="why">${grouped(effects.reduce((sum, { requests }) => sum + requests, 0))} requests: ${side} rule ${name} <code class="soft">${ruleId}</code></span></summary>
<div class="body">${ruleset === undefined ? NOTHING : markup`<p class="soft">${ruleset}</p>`}${barList(bars)}
${changes.map(changePart)}${refused.map(refusedPart)}
<div class="tops">${topList('Paths', effects, ({ paths }) => paths.map(({ host, path, requests }) => ({ item: host + path, requests })))}
${topList('Hosts', effects, ({ hosts }) => hosts)}
${topList('Countries', effects, ({ countries }) => countries)}
${topList('Clients', effects, ({ addresses }) => addresses)}</div>
${sampleList(effects)}</div></details>
`;
}

/** A proposed change with what it does to the requests of its rule. */
function changePart(change: ProposedChange): Markup {
  const { requests } = change.evidence;
  const { what, expression } = describe(change);
  const covered = change.kind === 'custom' ? (change.enabled ? change.covers : 0) : requests;
  const after =
    change.kind === 'enable' ? 'unknown until reviewed again' : grouped(requests - covered);
  return markup`<p><b>Proposed:</b> ${what}. <span class="soft">${sentence(change.why)}.</span><br>Requests that differ because of this rule: <b>${grouped(requests)} → ${after}</b></p>
${expression === undefined ? NOTHING : fold('For these requests', command(expression))}`;
}

const refusedPart = ({ requests, why }: NotProposed): Markup =>
  markup`<p><b>Nothing proposed</b> for ${counted(requests, 'request')}: ${sentence(why)}.</p>
`;

const MOST_ITEMS = 5;

/** The most frequent values of all effects of a rule. */
function topList(
  title: string,
  effects: readonly RuleAnswer[],
  of: (effect: RuleAnswer) => readonly ItemCount[],
): Markup {
  const counts = new Map<string, number>();
  // paths and hosts are counted once an outcome, whatever the verdict
  const outcomes = new Map(effects.map((effect) => [effect.outcome, effect]));
  for (const { item, requests } of [...outcomes.values()].flatMap(of)) {
    counts.set(item, (counts.get(item) ?? 0) + requests);
  }
  const bars = [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, MOST_ITEMS)
    .map(([item, count]) => ({
      ...({ tone: 'none', count, note: grouped(count) } as const),
      label: markup`<code>${item}</code>`,
    }));
  return bars.length === 0 ? NOTHING : markup`<div><h3>${title}</h3>${barList(bars)}</div>`;
}

function sampleList(effects: readonly RuleAnswer[]): Markup {
  const samples = effects.flatMap((effect) => effect.samples).slice(0, MOST_ITEMS);
  if (samples.length === 0) return NOTHING;
  const items = samples.map(
    (one) =>
      markup`<li><code>${one.method} ${one.host}${one.path}${one.query}</code> from ${one.client}${one.time === '' ? NOTHING : markup`, ${time(one.time)}`}<span class="where">Ray ID <code>${one.rayId}</code></span></li>
`,
  );
  return fold(`Sample requests (${grouped(samples.length)})`, markup`<ul>${items}</ul>`);
}

const WHY_UNDECIDABLE = {
  hidden:
    'A rule of the new WAF ended these requests before the legacy WAF saw them. Let the new rules log, then review again.',
  'cut-short':
    'A rule of another product ended these requests between the two WAFs. What the legacy WAF would have done is unknown.',
  sampled:
    'The data is sampled, so the absence of an event says nothing. Use the log export, which is not sampled.',
} as const;

/** What could not be decided, and why. */
function undecidable({ classes }: Review): Markup {
  const items = UNDECIDABLE.filter((outcome) => classes[outcome] > 0).map(
    (outcome) =>
      markup`<li><b>${counted(classes[outcome], 'request')}:</b> ${WHY_UNDECIDABLE[outcome]}</li>
`,
  );
  return items.length === 0
    ? NOTHING
    : section('What could not be decided', markup`<ul class="findings">${items}</ul>`);
}

function proposalSection({ changes, promise }: Proposal): Markup {
  const { newlyBlocked, noLongerBlocked } = promise;
  const bars = [
    { tone: 'lost', count: newlyBlocked.before, label: 'Newly blocked now' },
    { tone: 'lost', count: newlyBlocked.after, label: 'Newly blocked with the proposal' },
    { tone: 'lost', hollow: true, count: noLongerBlocked.before, label: 'No longer blocked now' },
    {
      ...({ tone: 'lost', hollow: true, count: noLongerBlocked.after } as const),
      label: 'No longer blocked with the proposal, at most',
    },
  ] as const;
  return markup`<section><h2 id="proposal">Proposal: ${counted(changes.length, 'change')}</h2>
<p>The effect on the same requests. Each change is described beside its rule.</p>
${barList(bars.map((bar) => ({ ...bar, note: counted(bar.count, 'request') })))}</section>
`;
}

/** What changed since the earlier review. */
function effectSection([, ...lines]: readonly string[]): Markup {
  const items = lines.map((line) => markup`<li>${line.trim()}</li>`);
  return section('Since the earlier review', markup`<ul>${items}</ul>`);
}
