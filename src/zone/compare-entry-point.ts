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

/** The entry point after the migration, compared with what was sent. */
export function compareWithSent(
  sent: unknown,
  { ruleset }: LiveEntryPoint,
  subject: string,
): Finding[] {
  return compare(parseRuleset(sent).ruleset, ruleset, subject, 'the ruleset that was sent');
}

/**
 * The live entry point, compared with what a run was given and does not send: what would be a blocker before the call
 * is a decision after it.
 * @param sent by an earlier run, where that is known
 * @throws MigrationError `FILE_UNREADABLE` for the stack, `RULESET_INVALID`
 */
export async function compareGiven(
  { id, name }: NamedZone,
  { given, stack }: Pick<EntryPointSource, 'given'> & { readonly stack?: StackFile },
  { ruleset }: LiveEntryPoint,
  sent: unknown,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  // a stack is generated before the migration, from the same file, or from the live entry point after it
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

/** A generated stack, and what it is to declare. */
interface StackComparison {
  readonly path: string;
  readonly zone: Required<ZoneName>;
  /** What it may declare: what is sent, or what is live. */
  readonly rulesets: readonly Ruleset[];
  /** Name of the resource in the stack. */
  readonly resourceName: string;
}

/**
 * Whether a stack declares exactly one of the rulesets. Generation is deterministic: the file must be one of its
 * texts, for any provider version, format and flavor, with or without the name of the zone.
 * @throws MigrationError `FILE_UNREADABLE`
 */
export async function compareStack(comparison: StackComparison): Promise<Finding[]> {
  const { path, rulesets } = comparison;
  const text = await readStack(path);
  const declared = withoutHead(text);
  // these depend on the folder
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

/** The text of a stack, with the line ends of generation. @throws MigrationError `FILE_UNREADABLE` */
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

/** The text without the first comment, of its origin and its import. */
function withoutHead(text: string): string {
  return text.replace(/^(?:(?:#|\/\/) .*\n)+|^\{\n {2}"\/\/": .*\n/, '');
}
