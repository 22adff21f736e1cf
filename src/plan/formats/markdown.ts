import { type Finding } from '../../core/finding';
import { printable } from '../../core/printable';
import { type Plan, type PlanState, type Step } from '../plan';
import { renderCommand, renderVersion, splitAddresses } from './render-command';

/** How the text begins: by it, an earlier one is known again. */
export const MARKDOWN_HEAD = '# Migration plan of cf-waf-migrate';

/** The plan as the text of a pull request: a check box a step, the addresses folded away. */
export function renderMarkdown(plan: Plan): string {
  const { zones, states, steps, findings } = plan;
  return [
    MARKDOWN_HEAD,
    '',
    ...zones.map(
      ({ zoneId, ruleset }) => `- zone ${code(zoneId)}: ruleset ${code(ruleset.address)}`,
    ),
    ...(zones.length === 0 ? [] : ['']),
    ...(findings.length === 0 ? [] : ['## Decisions and notices', '']),
    ...renderFindings(findings),
    ...(findings.length === 0 ? [] : ['']),
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
      .map(({ code: name, subject, message, remedy }) => {
        const box = severity === 'info' ? '-' : '- [ ]';
        return `${box} **${severity}** ${code(name)} ${code(subject)}: ${text(message)}. ${text(remedy)}.`;
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
  const { id, title, why, runs = [], edits = [], addresses = [], code: program } = step;
  const isMany = addresses.length > 1;
  const commands = runs.flatMap((run) => {
    const { own, rest } = splitAddresses(run, step);
    return isMany && own.length > 0
      ? [renderCommand(rest, run.saveTo), `  # and ${own.length} addresses`]
      : [renderCommand(run.argv, run.saveTo)];
  });
  return [
    `- [ ] **${id}. ${text(title)}** (${text(why)})`,
    ...edits.map(
      ({ file, remove, insert }) =>
        `  - ${code(file)}: ${changesOf(remove.length, insert !== undefined)}`,
    ),
    ...(program === undefined
      ? []
      : [
          '',
          ...fenced(
            program
              .trimEnd()
              .split('\n')
              .map((line) => printable(line)),
            program.startsWith('--- ') ? 'diff' : 'ts',
          ),
        ]),
    ...(commands.length === 0 ? [] : ['', ...fenced(commands, 'sh')]),
    ...(isMany
      ? [
          '',
          `  <details><summary>${addresses.length} addresses</summary>`,
          '',
          ...fenced(
            addresses.map((one) => printable(one)),
            'text',
          ),
          '',
          '  </details>',
        ]
      : []),
    '',
  ];
}

/** Text from outside: nothing in it is markup, a link, HTML or the name of somebody. */
function text(value: string): string {
  return printable(value).replace(
    /[\\`*_[\]<>#&|~@!:]/g,
    (character) => `&#${character.codePointAt(0) ?? 0};`,
  );
}

/** In back quotes, of which there are more than in the text. */
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

function changesOf(removed: number, inserts: boolean): string {
  const out = removed === 0 ? [] : [`${removed} block${removed === 1 ? '' : 's'} out`];
  return [...out, ...(inserts ? ['new blocks in'] : [])].join(', ');
}
