import { readFile } from 'node:fs/promises';
import { generateStack } from '../generate/generate-stack';
import { type ZoneName } from '../generate/names';
import { type Finding } from '../model/finding';
import { STACK_FORMATS } from '../model/format-names';
import { MigrationError } from '../model/migration-error';
import { printable } from '../model/printable';
import { PROVIDER_MAJORS } from '../model/provider-majors';
import { type Ruleset } from '../model/ruleset';

/** A generated stack, and what it is to declare. */
export interface StackComparison {
  readonly path: string;
  readonly zone: Required<ZoneName>;
  /** What it may declare: what is sent, or what stands, in the forms that stacks are made from. */
  readonly rulesets: readonly Ruleset[];
  /** Name of the resource in the stack. */
  readonly resourceName: string;
}

/**
 * Whether a stack declares exactly what is sent or stands. Generation is deterministic, so that the
 * file must be one of the texts that come out of it: for any provider major, in any format, with or
 * without the name of the zone.
 * @throws MigrationError `FILE_UNREADABLE`
 */
export async function compareStack(comparison: StackComparison): Promise<Finding[]> {
  const { path, rulesets } = comparison;
  const text = await readStack(path);
  const isOneOf = (ruleset: Ruleset): boolean => renderings(comparison, ruleset).includes(text);
  return rulesets.some(isOneOf) ? [] : [differs(path)];
}

/** The text of a stack, with the line ends of generation. @throws MigrationError `FILE_UNREADABLE` */
export async function readStack(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new MigrationError('FILE_UNREADABLE', `cannot read ${printable(path)}`, { cause });
  });
  return text.replaceAll('\r\n', '\n');
}

function renderings({ zone, resourceName }: StackComparison, ruleset: Ruleset): string[] {
  return PROVIDER_MAJORS.flatMap((provider) =>
    STACK_FORMATS.flatMap((format) =>
      [zone, { id: zone.id }].map((named) => {
        const source = { origin: 'config', ruleset } as const;
        const request = { zone: named, source, provider, format, resourceName };
        return generateStack({ ...request, preventDestroy: true }).resourceFile.text;
      }),
    ),
  );
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
