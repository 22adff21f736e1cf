import { readFile } from 'node:fs/promises';
import { type NamedZone } from '../cloudflare/zones';
import { type Finding } from '../core/finding';
import { isProgram, STACK_FORMATS } from '../core/format-names';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { PROVIDER_MAJORS } from '../core/provider-majors';
import { type Ruleset } from '../core/ruleset';
import { FLAVORS } from '../generate/flavor';
import { generateStack, type StackRequest, type ZoneName } from '../generate/generate-stack';
import { type LiveEntryPoint } from '../generate/read-source';
import { diffRulesets } from '../ruleset/compare-rulesets';
import { normaliseRuleset } from '../ruleset/normalise-ruleset';
import { parseRuleset } from '../ruleset/parse-ruleset';
import { type EntryPointSource, mergeFile } from './migration-call';

/** A generated stack. */
export interface StackFile {
  readonly path: string;
  readonly resourceName: string;
}

/** Compares the entry point after the migration with the ruleset that was sent. */
export function compareWithSent(
  sent: unknown,
  { ruleset }: LiveEntryPoint,
  subject: string,
): Finding[] {
  return compare(parseRuleset(sent).ruleset, ruleset, subject, 'the ruleset that was sent');
}

/**
 * Compares the live entry point with the given file and stack, which are not sent again. Blockers become
 * decisions, because the call was already made.
 * @param sent the ruleset that an earlier run sent, if known
 * @throws MigrationError `FILE_UNREADABLE` for the stack, `RULESET_INVALID`
 */
export async function compareGiven(
  { id, name }: NamedZone,
  { given, stack }: Pick<EntryPointSource, 'given'> & { readonly stack?: StackFile },
  { ruleset }: LiveEntryPoint,
  sent: unknown,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  // a stack is generated from the same file before the migration, or from the live entry point after it
  const rulesets = sent === undefined ? [ruleset] : [ruleset, parseRuleset(sent).ruleset];
  if (given !== undefined) {
    const merged = mergeFile(ruleset, given.ruleset);
    const what = 'the one of --config, and nothing is sent again';
    findings.push(...compare(merged.ruleset, ruleset, ruleset.id ?? id, what), ...merged.findings);
    rulesets.push(merged.ruleset);
  }
  if (stack !== undefined) {
    findings.push(...(await compareStack({ ...stack, zone: { id, name }, rulesets })));
  }
  return findings.map((finding) =>
    finding.severity === 'blocker' ? { ...finding, severity: 'decision' } : finding,
  );
}

function compare(wanted: Ruleset, found: Ruleset, subject: string, what: string): Finding[] {
  const declared = (ruleset: Ruleset) => normaliseRuleset(ruleset).ruleset;
  const differences = diffRulesets(declared(wanted), declared(found));
  if (differences.length === 0) return [];
  return [
    {
      code: 'ENTRY_POINT_DIFFERS',
      severity: 'decision',
      subject,
      message: `the entry point ruleset is not ${what}: ${differences.join(', ')}`,
      remedy:
        'generate the stack from the live entry point (--source live --force) and check the changes',
    },
  ];
}

/** A generated stack, and the rulesets that it may declare. */
interface StackComparison {
  readonly path: string;
  readonly zone: Required<ZoneName>;
  /** The ruleset to send, or the live one. */
  readonly rulesets: readonly Ruleset[];
  /** Name of the resource in the stack. */
  readonly resourceName: string;
}

/**
 * Checks that a stack declares one of the rulesets. Generation is deterministic, so the file must equal one of
 * the generated texts: for any provider version, format and flavor, with or without the zone name.
 * @throws MigrationError `FILE_UNREADABLE`
 */
export async function compareStack(comparison: StackComparison): Promise<Finding[]> {
  const { path, rulesets } = comparison;
  const text = await readStack(path);
  const declared = withoutHead(text);
  // these options depend on the folder, so they are read from the stack
  const read = {
    providerReference: /^ +"?provider"?(?: =|:) "?([\w-]+(?:\.[\w-]+)?)"?,?$/m.exec(text)?.[1],
    bindings: /^import \{ Ruleset \} from ["'](\.{1,2}\/.+)\/ruleset["'];$/m.exec(text)?.[1],
  };
  if (rulesets.some((one) => renderings(comparison, one, read).includes(declared))) return [];
  return [
    {
      code: 'STACK_DIFFERS',
      severity: 'blocker',
      subject: path,
      message: 'the stack declares another ruleset than the entry point, or the one to send',
      remedy:
        'generate the stack again with the same --source or --config and --address, and compare; if only its form differs, pass --accept STACK_DIFFERS',
    },
  ];
}

/** Reads a stack, with the line ends of generated files. @throws MigrationError `FILE_UNREADABLE` */
export async function readStack(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new MigrationError('FILE_UNREADABLE', `cannot read ${printable(path)}`, { cause });
  });
  return text.replaceAll('\r\n', '\n');
}

type Form = Pick<StackRequest, 'format' | 'flavor'>;

const forms = STACK_FORMATS.flatMap((format): Form[] =>
  isProgram(format) ? FLAVORS.map((flavor) => ({ format, flavor })) : [{ format }],
);

function renderings(
  { zone, resourceName }: StackComparison,
  ruleset: Ruleset,
  read: Pick<StackRequest, 'providerReference' | 'bindings'>,
): string[] {
  const source = { origin: 'config', ruleset } as const;
  return PROVIDER_MAJORS.flatMap((provider) =>
    forms.flatMap((form) =>
      [zone, { id: zone.id }].map((named) => {
        const request = { zone: named, source, provider, ...form, resourceName, ...read };
        return withoutHead(generateStack({ ...request, preventDestroy: true }).resourceFile.text);
      }),
    ),
  );
}

/** Removes the first comment, which names the source and the import command. */
function withoutHead(text: string): string {
  return text.replace(/^(?:(?:#|\/\/) .*\n)+|^\{\n {2}"\/\/": .*\n/, '');
}
