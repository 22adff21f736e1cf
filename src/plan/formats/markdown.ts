import { type Finding } from '../../core/finding';
import { printable } from '../../core/printable';
import { type Plan, type PlanState } from '../plan';
import { type Step, stepKinds } from '../steps/steps';
import { renderCommand, renderVersion, splitAddresses } from './render-command';
import { acceptFlags } from './text';

/** The first line, which identifies a plan in this format. */
export const MARKDOWN_HEAD = '# Migration plan of cf-waf-migrate';

/** Renders a plan for a pull request: one check box for each step, with addresses and diffs folded. */
export function renderMarkdown({ zones, states, steps, findings }: Plan): string {
  const flags = acceptFlags(findings);
  return [
    MARKDOWN_HEAD,
    '',
    ...zones.map(({ zoneId, name, ruleset }) => {
      const zone = name === undefined ? code(zoneId) : `${code(name)} (${code(zoneId)})`;
      return `- zone ${zone}: ruleset ${code(ruleset.address)}`;
    }),
    ...(zones.length === 0 ? [] : ['']),
    ...(findings.length === 0
      ? []
      : ['## Decisions and notices', '', ...renderFindings(findings), '']),
    ...(flags === '' ? [] : [`To accept the decisions, add to \`apply\`: ${code(flags)}`, '']),
    ...states.flatMap((state) =>
      renderState(
        state,
        steps.filter((step) => step.state === state.name),
      ),
    ),
  ].join('\n');
}

function renderFindings(findings: readonly Finding[]): string[] {
  return (['blocker', 'decision', 'info'] as const).flatMap((severity) =>
    findings
      .filter((finding) => finding.severity === severity)
      .map(({ code: name, title, subject, message, remedy }) => {
        const box = severity === 'info' ? '-' : '- [ ]';
        const what = title === undefined ? code(name) : `${text(title)} (${code(name)})`;
        return `${box} **${severity}**: ${what}. ${code(subject)}: ${text(message)}. ${text(remedy)}.`;
      }),
  );
}

function renderState(state: PlanState, steps: readonly Step[]) {
  const { name, dir, workspace, because } = state;
  return [
    `## State ${code(name)}`,
    '',
    `Folder ${code(dir)}, workspace ${code(workspace)}, provider ${renderVersion(state)}. Order chosen because ${text(because)}.`,
    '',
    ...(steps.length === 0 ? ['Nothing to do.', ''] : steps.flatMap(renderStep)),
  ];
}

function renderStep(step: Step): string[] {
  const { id, kind, title, why, runs = [], edits = [], addresses = [], code: program = '' } = step;
  const isMany = addresses.length > 1;
  const commands = runs.flatMap((run) => {
    const { own, rest } = splitAddresses(run, step);
    return isMany && own.length > 0
      ? [renderCommand(rest, run.saveTo), `  # and ${own.length} addresses`]
      : [renderCommand(run.argv, run.saveTo)];
  });
  return [
    `- [ ] **${id}. ${text(title)}** (${stepKinds[kind].by}): ${text(why)}`,
    ...edits.flatMap(({ file, diff }) => folded(`<code>${text(file)}</code>`, lines(diff), 'diff')),
    ...(program === '' ? [] : ['', ...fenced(lines(program), 'ts')]),
    ...(commands.length === 0 ? [] : ['', ...fenced(commands, 'sh')]),
    ...(isMany ? folded(`${addresses.length} addresses`, addresses.map(shown), 'text') : []),
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

/** Escapes external text, so that it contains no markup, link, HTML or mention. */
function text(value: string): string {
  return printable(value).replace(
    /[\\`*_[\]<>#&|~@!:]/g,
    (character) => `&#${character.codePointAt(0) ?? 0};`,
  );
}

/** Uses more back quotes than the text contains in a row. */
function code(value: string): string {
  const shown = printable(value).replace(/\s+/g, ' ');
  const fence = '`'.repeat(longestRun(shown) + 1);
  const space = /^`|`$/.test(shown) ? ' ' : '';
  return `${fence}${space}${shown || ' '}${space}${fence}`;
}

function fenced(lines: readonly string[], language: string): string[] {
  const fence = '`'.repeat(Math.max(3, ...lines.map((line) => longestRun(line) + 1)));
  return [`  ${fence}${language}`, ...lines.map((line) => `  ${line}`), `  ${fence}`];
}

function longestRun(value: string): number {
  return Math.max(0, ...[...value.matchAll(/`+/g)].map(([run]) => run.length));
}
