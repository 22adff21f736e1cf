import * as z from 'zod';
import { isIdentifier } from '../../core/identifier';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { SCORING_RULE } from '../../core/ruleset';
import { CLOUDFLARE_PACKAGE, CLOUDFLARE_RULESET } from '../../ruleset/known-rulesets';
import { readJsonFile } from '../../files/read-json-file';
import { builtInCatalogue } from './built-in-catalogue';
import {
  type Catalogue,
  findLegacyRule,
  groupKey,
  type LegacyGroup,
  type LegacyRule,
} from './catalogue';

const identifier = z.string().refine(isIdentifier, 'not 32 hexadecimal digits');
const managedRule = identifier.refine(
  (id) => id !== SCORING_RULE,
  'the scoring rule of the OWASP ruleset is not a rule of the Cloudflare Managed Ruleset',
);
const line = z
  .string()
  .min(1)
  .max(500)
  .refine((text) => printable(text) === text, 'not one line of plain text');
const schema = z.strictObject({
  format: z.literal('cf-waf-migrate/catalogue'),
  formatVersion: z.literal(1),
  attribution: z.string().optional(),
  rules: z
    .array(
      z.strictObject({
        legacyId: line.regex(/^\S+$/, 'an id has no spaces'),
        newIds: z.array(managedRule),
        title: line.optional(),
        group: line.optional(),
      }),
    )
    .default([]),
  groups: z
    .array(z.strictObject({ id: identifier, name: line, packageId: identifier.optional() }))
    .default([]),
});

/**
 * Loads the catalogue of legacy and new rules, with the additions of the user's file (docs/catalogue.md).
 * @param path the file of `--catalogue`; undefined for only the built-in catalogue
 * @throws MigrationError `FILE_UNREADABLE`, `CATALOGUE_INVALID`
 */
export async function loadCatalogue(path: string | undefined): Promise<Catalogue> {
  const builtIn = builtInCatalogue();
  if (path === undefined) return builtIn;
  return extendCatalogue(builtIn, parseUserCatalogue(await readJsonFile(path)));
}

/** The additions of a user to the catalogue (docs/catalogue.md, "Your own file"). */
type UserCatalogue = z.infer<typeof schema>;

/**
 * Reads the parsed JSON of `--catalogue FILE`.
 * @throws MigrationError `CATALOGUE_INVALID` for another format, an invalid id or that of the scoring rule,
 *   an unknown field, or a duplicate legacy rule (in any case) or group
 */
export function parseUserCatalogue(document: unknown): UserCatalogue {
  const parsed = schema.safeParse(document);
  if (!parsed.success) {
    const [{ path, message } = UNKNOWN_SHAPE] = parsed.error.issues;
    const said = message.charAt(0).toLowerCase() + message.slice(1);
    throw invalid(`${path.join('.') || 'document'}: ${said}`);
  }
  requireUnique(
    'rules',
    parsed.data.rules.map(({ legacyId }) => legacyId),
  );
  requireUnique(
    'groups',
    parsed.data.groups.map(({ id }) => id),
  );
  return parsed.data;
}

/** A refused document always has an issue, but the type does not say so. */
const UNKNOWN_SHAPE = { path: [], message: 'unknown shape' };

function requireUnique(what: string, ids: readonly string[]): void {
  const seen = new Set<string>();
  for (const id of ids) {
    const lower = id.toLowerCase();
    if (seen.has(lower)) throw invalid(`${what}: "${id}" is listed twice`);
    seen.add(lower);
  }
}

function invalid(message: string): MigrationError {
  return new MigrationError('CATALOGUE_INVALID', printable(message, 300));
}

/**
 * Adds the statements of a user to a catalogue. An entry replaces what was known of its legacy rule: it
 * selects one of several new ids, completes an id, or states that a rule is gone. New ids are rules of the
 * Cloudflare Managed Ruleset, because legacy OWASP rules have no equivalent (spec: "OWASP settings mapping").
 */
export function extendCatalogue(catalogue: Catalogue, user: UserCatalogue): Catalogue {
  const legacyRules = new Map(catalogue.legacyRules);
  for (const { legacyId, newIds, title, group } of user.rules) {
    const known = findLegacyRule(catalogue, legacyId);
    const rule: LegacyRule = {
      id: known?.id ?? legacyId,
      packageId: known?.packageId ?? CLOUDFLARE_PACKAGE,
      groups: group === undefined ? (known?.groups ?? []) : [groupKey(group)],
      defaultAction: known?.defaultAction ?? '',
      defaultDate: known?.defaultDate ?? '',
      title: title ?? known?.title ?? '',
      successors: [...new Set(newIds)].map((id) => ({
        basis: 'user',
        rulesetId: CLOUDFLARE_RULESET,
        id,
        ending: id.slice(-8),
        title: title ?? '',
      })),
      settled: true,
    };
    legacyRules.set(rule.id, rule);
  }
  const groups = new Map(catalogue.groups);
  for (const { id, name, packageId } of user.groups) {
    const group: LegacyGroup = {
      packageId: packageId ?? groups.get(id)?.packageId ?? CLOUDFLARE_PACKAGE,
      id,
      name,
    };
    groups.set(id, group);
  }
  return { ...catalogue, legacyRules, groups };
}
