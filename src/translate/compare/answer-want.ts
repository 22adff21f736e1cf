import { CLOUDFLARE_RULESET, OWASP_RULESET, rulesetName } from '../../ruleset/known-rulesets';
import { surelyWithin } from '../../ruleset/compare-expressions';
import { type Want } from '../reading/setting';
import { type Answer, nothing } from './answer';
import { answerOwasp } from './answer-owasp';
import { answerRule } from './answer-rules';
import { answerSkip } from './answer-skip';
import { type Coverage } from './coverage';
import { spellings } from './legacy-requests';
import { type KnownRuleset, runningExecutes, type RulesetView } from '../../ruleset/view-ruleset';

/** How a ruleset answers to one thing that a setting wants. */
export function answerWant(want: Want, view: KnownRuleset, coverage: Coverage): Answer {
  switch (want.kind) {
    case 'not-deployed':
      return answerNotDeployed(want.ruleset, view);
    case 'paranoia':
    case 'threshold':
    case 'score-action':
      return answerOwasp(want, view, coverage);
    case 'runs':
      return answerRuns(want, view, coverage);
    case 'skip':
      return answerSkip(want, view);
    case 'rule-off':
    case 'rule-acts':
    case 'rule-default':
      return answerRule(want, view, coverage);
  }
}

function answerNotDeployed(ruleset: string, { executes }: RulesetView): Answer {
  const all = executes.filter((execute) => execute.ruleset === ruleset);
  const running = all.filter(({ enabled }) => enabled);
  const places = (running.length > 0 ? running : all).map(({ index }) => ({ rule: index }));
  const name = rulesetName(ruleset);
  return running.length === 0
    ? { met: 'same', to: `${name} does not run`, places }
    : { met: 'other', to: `${name} runs`, places };
}

type RunsWant = Extract<Want, { readonly kind: 'runs' }>;

/** The managed rulesets have to run for just these requests: all of them, and no others. */
function answerRuns(want: RunsWant, view: RulesetView, coverage: Coverage): Answer {
  const executes = runningExecutes(view, CLOUDFLARE_RULESET);
  if (executes.length === 0) return nothing('no managed ruleset runs', 'nothing is deployed');
  const wanted = spellings(want).map((of) => ({ of, without: [] }));
  const wider = [...executes, ...runningExecutes(view, OWASP_RULESET)].filter(
    ({ expression: of }) => !wanted.some((one) => surelyWithin([{ of, without: [] }], [one])),
  );
  const places = executes.map(({ index }) => ({ rule: index }));
  const expressions = [...new Set(executes.map(({ expression }) => expression))];
  const answer: Answer = { met: 'same', to: `it runs for: ${expressions.join(', and ')}`, places };
  const target = { ruleset: CLOUDFLARE_RULESET };
  const weighed = coverage.protects(answer, { executes, target, requests: spellings(want) });
  const [other] = wider;
  if (weighed.met !== 'same' || other === undefined) return { ...weighed, to: answer.to };
  const why = `${rulesetName(other.ruleset)} runs for other requests too: ${other.expression}`;
  return { ...answer, met: 'other', why };
}
