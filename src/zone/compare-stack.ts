import { readFile } from 'node:fs/promises';
import { type Finding } from '../core/finding';
import { isProgram, STACK_FORMATS } from '../core/format-names';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { PROVIDER_MAJORS } from '../core/provider-majors';
import { type Ruleset } from '../core/ruleset';
import { FLAVORS } from '../generate/formats/cdktf';
import {
  generateStack,
  nameOfResource,
  type StackRequest,
  type ZoneName,
} from '../generate/generate-stack';

/** A generated stack. */
export interface StackFile {
  readonly path: string;
  readonly resourceName: string;
}

/** A generated stack, and the ruleset to send. */
interface StackComparison extends StackFile {
  readonly zone: Required<ZoneName>;
  readonly ruleset: Ruleset;
}

/**
 * Checks that a stack declares the ruleset. Generation is deterministic, so the file must equal one of
 * the generated texts: for any provider version, format and flavor, with or without the zone name.
 * @throws MigrationError `FILE_UNREADABLE`
 */
export async function compareStack(comparison: StackComparison): Promise<Finding[]> {
  const { path } = comparison;
  const file = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new MigrationError('FILE_UNREADABLE', `cannot read ${printable(path)}`, { cause });
  });
  const text = file.replaceAll('\r\n', '\n');
  // these options depend on the folder, so they are read from the stack
  const read = {
    providerReference: /^ +"?provider"?(?: =|:) "?([\w-]+(?:\.[\w-]+)?)"?,?$/m.exec(text)?.[1],
    bindings: /^import \{ Ruleset \} from ["'](\.{1,2}\/.+)\/ruleset["'];$/m.exec(text)?.[1],
  };
  if (renderings(comparison, read).includes(withoutHead(text))) return [];
  return [
    {
      code: 'STACK_DIFFERS',
      severity: 'blocker',
      subject: path,
      message: 'the ruleset of the stack differs from the ruleset to send',
      remedy:
        'generate the stack again with the same --source or --config and --address, and compare; if only its form differs, pass --accept STACK_DIFFERS',
    },
  ];
}

type Form = Pick<StackRequest, 'format' | 'flavor'>;

const forms = STACK_FORMATS.flatMap((format): Form[] =>
  isProgram(format) ? FLAVORS.map((flavor) => ({ format, flavor })) : [{ format }],
);

function renderings(
  { zone, resourceName, ruleset }: StackComparison,
  read: Pick<StackRequest, 'providerReference' | 'bindings'>,
): string[] {
  const source = { origin: 'config', ruleset } as const;
  return PROVIDER_MAJORS.flatMap((provider) =>
    forms.flatMap((form) =>
      [zone, { id: zone.id }].flatMap((named) =>
        [resourceName, nameOfResource(named)].map((name) => {
          const request = { zone: named, source, provider, ...form, resourceName: name, ...read };
          return withoutHead(generateStack(request).resourceFile.text);
        }),
      ),
    ),
  );
}

/** Removes the first comment, which names the source and the import command. */
function withoutHead(text: string): string {
  return text.replace(/^(?:(?:#|\/\/) .*\n)+|^\{\n {2}"\/\/": .*\n/, '');
}
