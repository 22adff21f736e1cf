import { resolve } from 'node:path';
import { createColors } from 'picocolors';
import { hintLines, renderFindings } from '../core/finding';
import { describeError } from '../core/migration-error';
import { posixQuote } from '../core/posix-quote';
import { printable, printableDocument, printableJson } from '../core/printable';
import { writeFiles, type WriteOptions } from '../files/write-files';
import { type Made, withoutMade } from '../html/components';
import { type CliContext, type CommandResult } from './context';
import { type OutOptions } from './options';

export const madeNow = ({ version }: CliContext): Made => ({
  at: new Date().toISOString(),
  version,
});

/** The format of a document: with `--json`, a file without another format is JSON too. */
export const formatOf = <Format extends string>(
  { format }: { readonly format: Format },
  { json }: CliContext,
): Format | 'json' => (json && format === 'text' ? 'json' : format);

/**
 * Writes a document to the file of `--out`, or prints it in its format.
 * @param render called only if the document is written or printed
 */
export function writeOrPrint(
  result: Omit<CommandResult, 'text'>,
  options: OutOptions & { readonly format?: string } & Pick<WriteOptions, 'links'>,
  context: CliContext,
  render: () => string,
): CommandResult {
  const { out, force = false, format = 'text', links } = options;
  if (out === undefined && context.json) return { ...result, text: '' };
  const text = render();
  if (out === undefined) {
    return format === 'text'
      ? { ...result, text: text.trimEnd() }
      : { ...result, text: '', document: documentOf(text, format) };
  }
  const path = resolve(context.cwd, out);
  const mayReplace = (old: string): boolean => withoutMade(old) === withoutMade(text);
  writeFiles([{ path, text }], { force, mayReplace, ...(links === false && { links }) });
  return { ...result, text: `wrote ${printable(out)}` };
}

/** A document for standard output. The escapes mean the same in JSON, and change other formats. */
export const documentOf = (text: string, format: string): string =>
  format === 'json' ? printableDocument(text) : text;

/** Repeats the workspace of the environment in front of a command to copy. */
export function workspaceOf({ environment }: Pick<CliContext, 'environment'>): string {
  const workspace = environment['TF_WORKSPACE'] ?? '';
  return workspace === '' ? '' : `TF_WORKSPACE=${posixQuote(workspace)} `;
}

/** The command to run again. Flags for Terraform come last, and only plans have them. */
export function sameCommand({ commandLine, passedArguments, yes }: CliContext): string {
  return `${commandLine}${yes && passedArguments.length === 0 ? ' --yes' : ''}`;
}

export const withProgram = (command: string, context: Pick<CliContext, 'environment'>): string =>
  `${workspaceOf(context)}cf-waf-migrate ${command}`;

/**
 * Runs what takes long. If the user stops it, the command to resume it is printed.
 * @param first what to say after `stopped; `, before that command
 */
export async function resumable<Result>(
  context: CliContext,
  run: () => Promise<Result>,
  first = '',
): Promise<Result> {
  const forget = ifStopped(context, first);
  try {
    return await run();
  } finally {
    forget();
  }
}

/** Registers the command that resumes a run, and returns what to call at its end. */
export function ifStopped(context: CliContext, first = ''): () => void {
  const forget = context.ifStopped(
    `stopped; ${first}to resume, run the same command again:`,
    withProgram(sameCommand(context), context),
  );
  return () => {
    // a signal also ends the run, by stopping Terraform; the lines are printed after that
    if (!context.interrupted.aborted) forget();
  };
}

/** Colours the words for severity and result in a text. */
export function paint(text: string, isColoured: boolean): string {
  if (!isColoured) return text;
  const { red, yellow, cyan, dim, green } = createColors(true);
  const colours: Partial<Record<string, typeof red>> = { done: green, failed: red };
  return (
    text
      .replace(/^(?:error|blocker):/gm, (word) => red(word))
      .replace(/^decision:/gm, (word) => yellow(word))
      .replace(/^info:/gm, (word) => cyan(word))
      .replace(/^ +(?:why|cause|hint):/gm, (label) => dim(label))
      // a diff within a step of a plan
      .replace(/^ {6}\+.*$/gm, (line) => green(line))
      .replace(/^ {6}-.*$/gm, (line) => red(line))
      .replace(
        /^(\[ *\d+\/\d+\] .*?: |\d+(?:\/\d+|\.) .*: |)(done|failed|skipped)\b/gm,
        (_, before: string, word: string) => before + (colours[word] ?? yellow)(word),
      )
  );
}

export function renderErrorJson(error: unknown): string {
  const { code, message, hint, causes, findings } = describe(error);
  const found = findings.length === 0 ? {} : { findings };
  return `${printableJson({ error: { code, message, hint, causes, ...found } })}\n`;
}

/** An error for the user: message with its code, causes, and what to do. */
export function renderErrorText(error: unknown): string {
  const { code, message, hint, causes, stack, findings } = describe(error);
  // the user declined, so the error needs no text
  if (code === 'DECLINED' && hint === '') return `${message}\n`;
  const lines = [
    `error: ${message} (${code})`,
    ...causes.map((line) => `  cause: ${line}`),
    ...renderFindings(findings).map((line) => `  ${line}`),
    renderHint(hint),
    ...stack,
  ];
  return `${lines.join('\n')}\n`;
}

/** What to do; a command in it is on a separate line. */
export const renderHint = (hint: string): string =>
  `  hint: ${hintLines(hint)
    .map((line) => printable(line))
    .join('\n    ')}`;

function describe(error: unknown) {
  const { code, message, hint, causes, findings, stack } = describeError(error);
  return {
    code,
    message: printable(message, 1000),
    hint: hint
      .split('\n')
      .map((line) => printable(line))
      .join('\n'),
    causes: causes.map((text) => printable(text, 500)),
    findings,
    stack: (stack ?? []).map((line) => `    ${printable(line.trim(), 500)}`),
  };
}
