import { counted, grouped } from '../../core/printable';
import {
  badge,
  barList,
  command,
  filterBar,
  findingLists,
  fold,
  type Look,
  madeFacts,
  type Made,
  renderPage,
  section,
  sentence,
  time,
} from '../../html/components';
import { type Markup, markup, NOTHING, type Part } from '../../html/document';
import { type ItemCount, type RuleAnswer, sumOf } from '../comparison';
import { type Proposal } from '../proposal';
import { type Review } from '../make-review';
import {
  answerOf,
  basisOf,
  CHANGE_LOOKS,
  describe,
  effectLine,
  effectLines,
  outcomeCounts,
  promiseLine,
  type RuleEffects,
  rulesWithEffects,
} from './words';

export function renderHtml(review: Review, made?: Made): string {
  const { findings, proposal, effect } = review;
  const seen = review.rules.flatMap(({ firstSeen, lastSeen }) => [firstSeen, lastSeen]);
  const times = seen.filter((at) => at !== '').sort();
  const [first = '', last = ''] = [times[0], times.at(-1)];
  const outcomes = outcomeCounts(review).map(({ words, share, ...part }) => ({
    ...part,
    label: words,
    note: `${grouped(part.count)} (${share})`,
  }));
  const rules = rulesWithEffects(review.rules);
  return renderPage({
    title: 'Legacy WAF and new WAF compared',
    answer: { ...answerOf(review), next: nextOf(review) },
    facts: [
      basisOf(review),
      ...(first === '' ? [] : [markup`differences from ${time(first)} to ${time(last)}`]),
      ...madeFacts(made),
    ],
    body: markup`${section('Requests by outcome', barList(outcomes))}
${findings.length === 0 ? NOTHING : section('About the data', findingLists(findings))}
${rules.length === 0 ? NOTHING : ruleSection(rules, proposal)}
${effect === undefined ? NOTHING : effectSection(effectLines(effect))}`,
  });
}

function nextOf(review: Review): Part {
  const { proposal } = review;
  const { tone } = answerOf(review);
  if (tone === 'kept') return 'No rule changes which requests are stopped.';
  if (tone === 'none') {
    return 'Before you enforce the new WAF, review more events from validation mode.';
  }
  return proposal === undefined
    ? markup`Check the rules below, or let the tool propose changes:${command('cf-waf-migrate review --events <file> --config <file> --propose proposal.json')}`
    : `${counted(proposal.changes.length, 'change')} proposed. ${promiseLine(proposal.promise)}.`;
}

const FILTERS: readonly Look[] = [
  { tone: 'lost', sign: '✕', word: 'Blocked, or no longer blocked' },
  { tone: 'changed', sign: '≠', word: 'More or less strictly' },
  { tone: 'none', sign: '?', word: 'Logged, or undecidable' },
];

const MOST_RULES = 500;

function ruleSection(rules: readonly RuleEffects[], proposal: Proposal | undefined): Markup {
  const left = rules.length - MOST_RULES;
  const more =
    left > 0 ? markup`<p>and ${counted(left, 'more rule')}: pass --json for all.</p>` : NOTHING;
  return section(
    'Rules, largest effect first',
    markup`${filterBar({ label: 'Filter the rules', placeholder: 'rule, path, client', choices: FILTERS })}${rules.slice(0, MOST_RULES).map((rule, index) => ruleCard(rule, index < 3, proposal))}${more}`,
  );
}

function ruleCard(rule: RuleEffects, isOpen: boolean, proposal: Proposal | undefined): Markup {
  const { side, ruleId, name, ruleset, effects } = rule;
  const [heaviest] = effects;
  const { tone } = CHANGE_LOOKS[heaviest.change];
  const proposed = (proposal?.changes ?? [])
    .filter(({ evidence }) => evidence.ruleId === ruleId)
    .map((change) => markup`<p><b>Proposed:</b> ${describe(change)}. ${sentence(change.why)}.</p>`);
  const refused = (proposal?.notProposed ?? [])
    .filter((one) => one.ruleId === ruleId)
    .map(
      ({ requests, why }) =>
        markup`<p><b>Nothing proposed</b> for ${counted(requests, 'request')}: ${sentence(why)}.</p>`,
    );
  const looks = [...new Set(effects.map(({ change }) => change))].map((change) =>
    badge(CHANGE_LOOKS[change]),
  );
  const lines = effects.map((effect) => markup`<li>${effectLine(effect)}</li>`);
  return markup`<details class="card ${tone}" data-tone="${tone}"${isOpen ? markup` open` : NOTHING}><summary>${looks} <span class="why">${counted(sumOf(effects), 'request')}: ${side} rule ${name} <code class="soft">${ruleId}</code></span></summary>
<div class="body">${ruleset === undefined ? NOTHING : markup`<p class="soft">${ruleset}</p>`}<ul>${lines}</ul>
${proposed}${refused}
<div class="tops">${topList('Paths', effects, ({ paths }) => paths.map(({ host, path, requests }) => ({ item: host + path, requests })))}
${topList('Clients', effects, ({ addresses }) => addresses)}</div>
${sampleList(effects)}</div></details>
`;
}

const MOST_ITEMS = 5;

function topList(
  title: string,
  effects: readonly RuleAnswer[],
  of: (effect: RuleAnswer) => readonly ItemCount[],
): Markup {
  const counts = new Map<string, number>();
  // values are counted once an outcome, whatever the verdict
  const outcomes = new Map(effects.map((effect) => [effect.outcome, effect]));
  for (const { item, requests } of [...outcomes.values()].flatMap(of)) {
    counts.set(item, (counts.get(item) ?? 0) + requests);
  }
  const items = [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, MOST_ITEMS)
    .map(([item, count]) => markup`<li>${grouped(count)} × <code>${item}</code></li>`);
  return items.length === 0 ? NOTHING : markup`<div><h3>${title}</h3><ul>${items}</ul></div>`;
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

function effectSection([, ...lines]: readonly string[]): Markup {
  const items = lines.map((line) => markup`<li>${line.trim()}</li>`);
  return section('Since the earlier review', markup`<ul>${items}</ul>`);
}
