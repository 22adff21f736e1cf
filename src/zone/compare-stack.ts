import { readFile } from 'node:fs/promises';
import { type Finding } from '../core/finding';
import { isProgram, STACK_FORMATS } from '../core/format-names';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { findProviderMajor, PROVIDER_MAJORS, type ProviderMajor } from '../core/provider-majors';
import { type Ruleset } from '../core/ruleset';
import { FLAVORS } from '../generate/formats/cdktf';
import {
  generateStack,
  type StackRequest,
  withoutHead,
  type ZoneName,
} from '../generate/generate-stack';

/**
 * Checks that a stack declares the ruleset to send. Generation is deterministic, so the file must equal one of
 * the generated texts: for any provider version, format and flavor, with or without the zone name.
 * @throws MigrationError `FILE_UNREADABLE`
 */
export async function compareStack(
  path: string,
  zone: Required<ZoneName>,
  ruleset: Ruleset,
): Promise<Finding[]> {
  const file = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new MigrationError('FILE_UNREADABLE', `cannot read ${printable(path)}`, { cause });
  });
  const text = file.replaceAll('\r\n', '\n');
  // these do not change what is declared, so they are read from the stack
  const read = {
    resourceName: stackFacts(text).resourceName ?? '',
    providerReference: /^ +"?provider"?(?: =|:) "?([\w-]+(?:\.[\w-]+)?)"?,?$/m.exec(text)?.[1],
    bindings: /^import \{ Ruleset \} from "(\.{1,2}\/.+)\/ruleset";$/m.exec(text)?.[1],
  };
  const source = { origin: 'config', ruleset } as const;
  const isEqual =
    read.resourceName !== '' &&
    PROVIDER_MAJORS.some((provider) =>
      forms.some((form) =>
        [zone, { id: zone.id }].some((named) => {
          const request = { zone: named, source, provider, ...form, ...read };
          return withoutHead(generateStack(request).resourceFile.text) === withoutHead(text);
        }),
      ),
    );
  if (isEqual) return [];
  return [
    {
      code: 'STACK_DIFFERS',
      severity: 'blocker',
      subject: path,
      message: 'the ruleset of the stack differs from the ruleset to send',
      remedy:
        'generate the stack again with the same --source or --config, and compare; if only its form differs, pass --accept STACK_DIFFERS',
    },
  ];
}

/** What a stack tells of the flags that it was generated with; only a CDKTF stack has its provider version. */
export function stackFacts(text: string): {
  readonly resourceName: string | undefined;
  readonly provider: ProviderMajor | undefined;
} {
  const version = /"terraform\.required_providers\.cloudflare\.version", "(.+)"/.exec(text)?.[1];
  return { resourceName: RESOURCE.exec(text)?.[1], provider: findProviderMajor(version ?? '') };
}

/** The name of the resource, in each format. */
const RESOURCE =
  /(?:cloudflare_ruleset" |"cloudflare_ruleset": \{\n +|new Ruleset\(this, )"([A-Za-z_][\w-]*)"/;

const forms = STACK_FORMATS.flatMap((format): Pick<StackRequest, 'format' | 'flavor'>[] =>
  isProgram(format) ? FLAVORS.map((flavor) => ({ format, flavor })) : [{ format }],
);
