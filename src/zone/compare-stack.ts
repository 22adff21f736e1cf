import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Finding } from '../core/finding';
import { STACK_FORMATS } from '../core/format-names';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { PROVIDER_MAJORS } from '../core/provider-majors';
import { type Ruleset } from '../core/ruleset';
import { generateStack, withoutHead, type ZoneName } from '../generate/generate-stack';

/**
 * Checks that a stack declares the ruleset to send. Generation is deterministic, so the file must equal one of
 * the generated texts, for any provider version and format.
 * @throws MigrationError `FILE_UNREADABLE`, `RULESET_INVALID`
 */
export async function compareStack(
  path: string,
  zone: ZoneName,
  ruleset: Ruleset,
): Promise<Finding[]> {
  const file = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new MigrationError('FILE_UNREADABLE', `cannot read ${printable(path)}`, { cause });
  });
  const text = file.replaceAll('\r\n', '\n');
  const resourceName = RESOURCE.exec(text)?.[1];
  const ofZone = /^\s*"?zone_?id"?\s*[=:]\s*"([0-9a-f]{32})"/im.exec(text)?.[1] ?? zone.id;
  if (resourceName === undefined || ofZone !== zone.id || basename(path) === 'cdk.tf.json') {
    const message = `${printable(path)} is not a stack that generate wrote for zone ${zone.id}`;
    const hint = 'pass the file that `generate` named';
    throw new MigrationError('RULESET_INVALID', message, { hint });
  }
  const providerReference = PROVIDER.exec(text)?.[1];
  const source = { origin: 'config', ruleset } as const;
  const texts = PROVIDER_MAJORS.flatMap((provider) =>
    STACK_FORMATS.map((format) => {
      const request = { zone, source, provider, format, resourceName, providerReference };
      return declaring(generateStack(request).resourceFile.text);
    }),
  );
  const own = declaring(text);
  if (texts.includes(own)) return [];
  return [
    {
      code: 'STACK_DIFFERS',
      severity: 'blocker',
      subject: path,
      message: `the ruleset of the stack differs from the ruleset to send, first in: ${printable(firstDifference(own, texts), 200)}`,
      remedy:
        'generate the stack again with the same --source or --config, and compare; if only its form differs, pass --accept STACK_DIFFERS',
    },
  ];
}

/** The first line that differs from the most similar of the texts. */
function firstDifference(own: string, texts: readonly string[]): string {
  const lines = own.split('\n');
  const places = texts.map((text) => {
    const others = text.split('\n');
    return lines.findIndex((line, at) => line !== others[at]);
  });
  return lines[Math.max(...places)]?.trim() ?? '';
}

/** The name of the resource, in each format. */
const RESOURCE =
  /(?:cloudflare_ruleset" |"cloudflare_ruleset": \{\n +|new Ruleset\(this, )"([A-Za-z_][\w-]*)"/;

/** The provider configuration of the resource. */
const PROVIDER = /^ +"?provider"?(?: =|:) "?([\w-]+(?:\.[\w-]+)?)"?,?$/m;

/** What a stack declares: its head, its imports and the name of its class differ with its project and its zone. */
function declaring(text: string): string {
  return withoutHead(text)
    .replace(/^import .*\n/gm, '')
    .replace(/^export class [\w$]+/m, '');
}
