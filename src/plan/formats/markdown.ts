import { backQuotes, mdCode, mdFindings, mdText } from '../../core/markdown';
import { printable } from '../../core/printable';
import { changedStates, type Plan, type PlanState } from '../plan-schema';
import { isManual, kindOf, type Step } from '../steps/step-kinds';
import { placedAddresses, renderCommand, renderVersion, splitAddresses } from './render-command';
import { flagsForDecisions, NO_REVERT, pullRequestTasks } from './pull-request';

/** The first line, which identifies a plan in this format. */
export const MARKDOWN_HEAD = '# Migration plan of cf-waf-migrate';

/**
 * Renders a plan: one check box for each step, with addresses and diffs folded. With method blocks it is the text of a
 * pull request: its edits, and what the pipeline does.
 */
export function renderMarkdown(plan: Plan): string {
  const { zones, states, steps, findings } = plan;
  const changed = changedStates(plan);
  const isPullRequest = changed.length > 0 && changed.every(({ method }) => method === 'blocks');
  const flags = isPullRequest ? '' : flagsForDecisions(findings);
  const shownSteps = isPullRequest ? stepsOfFiles(steps) : steps;
  return [
    MARKDOWN_HEAD,
    '',
    ...zones.map(({ zoneId, name, ruleset }) => {
      const zone = name === undefined ? mdCode(zoneId) : `${mdCode(name)} (${mdCode(zoneId)})`;
      return `- zone ${zone}: ruleset ${mdCode(ruleset.address)}`;
    }),
    ...(zones.length === 0 ? [] : ['']),
    ...(findings.length === 0
      ? []
      : ['## Decisions and notices', '', ...mdFindings(findings, true), '']),
    ...(flags === '' ? [] : [`To accept the decisions, add to \`apply\`: ${mdCode(flags)}`, '']),
    ...states.flatMap((state) =>
      renderState(
        state,
        shownSteps.filter((step) => step.state === state.name),
      ),
    ),
    ...(isPullRequest ? renderPipeline(plan) : []),
  ].join('\n');
}

/** The steps that a pull request contains, numbered from 1. */
function stepsOfFiles(steps: readonly Step[]): Step[] {
  const changes = steps.filter((step) => kindOf(step).changes === 'files');
  return changes.map((step, at) => ({ ...step, id: String(at + 1) }));
}

function renderPipeline(plan: Plan): string[] {
  const tasks = Object.entries(pullRequestTasks(plan)).flatMap(([task, commands]) => [
    `- [ ] **${task}**`,
    '',
    ...fenced(commands.map(shown), 'sh'),
    '',
  ]);
  return ['## Pipeline', '', ...tasks, NO_REVERT, ''];
}

function renderState(state: PlanState, steps: readonly Step[]) {
  const { name, dir, workspace, provider, because } = state;
  return [
    `## State ${mdCode(name)}`,
    '',
    `Folder ${mdCode(dir)}, workspace ${mdCode(workspace)}, provider ${renderVersion(provider)}. Order chosen because ${mdText(because)}.`,
    '',
    ...(steps.length === 0 ? ['Nothing to do.', ''] : steps.flatMap(renderStep)),
  ];
}

function renderStep(step: Step): string[] {
  const { id, title, why, runs = [], edits = [], addresses = [], code: program = '' } = step;
  const isMany = addresses.length > 1;
  const placed = placedAddresses(step).map(shown);
  const commands = runs.flatMap((run) => {
    const { own, rest } = splitAddresses(run, step);
    return isMany && own.length > 0
      ? [renderCommand(rest, run.saveTo), `  # and ${own.length} addresses`]
      : [renderCommand(run.argv, run.saveTo)];
  });
  return [
    `- [ ] **${id}. ${mdText(title)}** (${kindOf(step).by}): ${mdText(why)}`,
    ...edits.flatMap(({ file, diff }) =>
      folded(`<code>${mdText(file)}</code>`, lines(diff), 'diff'),
    ),
    ...(program === '' ? [] : ['', ...fenced(lines(program), 'ts')]),
    ...(commands.length === 0 ? [] : ['', ...fenced(commands, 'sh')]),
    ...(isMany ? folded(`${addresses.length} addresses`, placed, 'text') : []),
    ...(isManual(step) && !isMany && placed.length > 0 ? ['', ...fenced(placed, 'text')] : []),
    '',
  ];
}

/** Folds the content. The blank lines let it render as Markdown. */
function folded(summary: string, content: readonly string[], language: string): string[] {
  return [
    '',
    `  <details><summary>${summary}</summary>`,
    '',
    ...fenced(content, language),
    '',
    '  </details>',
  ];
}

const shown = (line: string): string => printable(line);

function lines(value: string): string[] {
  return value.trimEnd().split('\n').map(shown);
}

function fenced(lines: readonly string[], language: string): string[] {
  const fence = backQuotes(lines.join('\n'), 3);
  return [`  ${fence}${language}`, ...lines.map((line) => `  ${line}`), `  ${fence}`];
}
