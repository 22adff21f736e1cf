import { readFile } from 'node:fs/promises';
import { FLAVORS } from '../generate/flavor';
import { generateStack, type StackRequest, type ZoneName } from '../generate/generate-stack';
import { type Finding } from '../core/finding';
import { isProgram, STACK_FORMATS } from '../core/format-names';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { PROVIDER_MAJORS } from '../core/provider-majors';
import { type Ruleset } from '../core/ruleset';

/** A generated stack, and what it is to declare. */
export interface StackComparison {
  readonly path: string;
  readonly zone: Required<ZoneName>;
  /** What it may declare: what is sent, or what stands. */
  readonly rulesets: readonly Ruleset[];
  /** Name of the resource in the stack. */
  readonly resourceName: string;
}

/**
 * Whether a stack declares exactly what is sent or stands. Generation is deterministic, so that the
 * file must be one of the texts that come out of it: for any provider major, in any format and flavor, with
 * or without the name of the zone or a provider configuration, and whatever it was generated from.
 * @throws MigrationError `FILE_UNREADABLE`
 */
export async function compareStack(comparison: StackComparison): Promise<Finding[]> {
  const { path, rulesets } = comparison;
  const text = await readStack(path);
  const read = { providerReference: referenceIn(text), bindings: bindingsIn(text) };
  const declared = withoutHead(text);
  const isOneOf = (ruleset: Ruleset): boolean =>
    renderings(comparison, ruleset, read).includes(declared);
  return rulesets.some(isOneOf) ? [] : [differs(path)];
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

/** Its first comment tells of its origin and its import, and declares nothing. */
function withoutHead(text: string): string {
  return text.replace(/^(?:(?:#|\/\/) .*\n)+|^\{\n {2}"\/\/": .*\n/, '');
}

/** The provider configuration that a stack names: which one it is depends on the folder. */
function referenceIn(text: string): string | undefined {
  return /^ +"?provider"?(?: =|:) "?([\w-]+(?:\.[\w-]+)?)"?,?$/m.exec(text)?.[1];
}

/** Where a stack has its bindings from: that depends on the project. */
function bindingsIn(text: string): string | undefined {
  return /^import \{ Ruleset \} from ["'](\.{1,2}\/.+)\/ruleset["'];$/m.exec(text)?.[1];
}

function differs(path: string): Finding {
  return {
    code: 'STACK_DIFFERS',
    severity: 'blocker',
    subject: path,
    message: 'the stack does not declare what is the entry point, or would be',
    remedy:
      'generate it again with the same --source or --config and --address, and compare; if only its form was changed, pass --accept STACK_DIFFERS',
  };
}
