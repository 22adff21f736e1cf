import * as z from 'zod';
import { type Optional } from '../cloudflare/refusals';
import {
  firewallRuleSchema,
  legacyPackageSchema,
  savedPageRuleSchema,
} from '../cloudflare/firewall';
import { type NamedZone } from '../cloudflare/zones';
import { parseRuleset } from '../ruleset/parse-ruleset';
import { type Finding } from '../core/finding';
import { isIdentifier } from '../core/identifier';
import { attempt, MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { type Ruleset } from '../core/ruleset';
import { type Preflight } from './finish-preflight';
import { settingsOfApi } from '../translate/source/settings-from-api';
import { type ReadSettings } from '../translate/source/legacy-settings';
import { BACKUP_FOLDER, lastBackup, settingsBackup, writeBackup } from '../files/backups';
import { readJsonFile } from '../files/read-files';

const FORMAT = 'cf-waf-migrate/finish-backup';

/** Saves the legacy settings, entry point, migration configuration, and ruleset to send. @returns the path */
export function saveBackup(
  folder: string,
  { id, name, plan }: NamedZone,
  { migrationState, config, live, oldWaf, oldWafStatus, firewallRules, pageRules }: Preflight,
  sends: unknown,
): string {
  return writeBackup(folder, settingsBackup(id), {
    format: FORMAT,
    formatVersion: 1,
    zone: { id, name, plan },
    migrationState,
    oldWafStatus,
    oldWaf,
    firewallRules: listOf(firewallRules),
    pageRules: listOf(pageRules),
    entryPoint: live?.raw ?? null,
    config,
    sends,
  });
}

const listOf = <T>({ items, findings }: Optional<T>): readonly T[] | null =>
  findings.length === 0 ? items : null;

const savedSchema = z.object({ format: z.literal(FORMAT), sends: z.unknown() });

/**
 * Returns the ruleset that an earlier run sent or was about to send. Undefined without a backup, or if it is edited or
 * unreadable, because that must not stop a zone half-way.
 */
export async function latestSent(folder: string, zoneId: string): Promise<Ruleset | undefined> {
  const latest = lastBackup(folder, settingsBackup(zoneId));
  if (latest === undefined) return undefined;
  const document = await readJsonFile(latest).catch(() => undefined);
  return attempt(() => parseRuleset(savedSchema.parse(document).sends).ruleset);
}

const settingsSchema = z.object({
  format: z.literal(FORMAT),
  zone: z.object({ id: z.string().refine(isIdentifier) }),
  oldWafStatus: z.enum(['on', 'off']).optional(),
  oldWaf: z.array(legacyPackageSchema),
  firewallRules: z.array(firewallRuleSchema).nullable(),
  pageRules: z.array(savedPageRuleSchema).nullable(),
});

/**
 * Reads the legacy settings that `finish` saved. They have no URI overrides, because these block `finish`.
 * @throws MigrationError `FILE_UNREADABLE`
 */
export async function readSavedSettings(path: string): Promise<ReadSettings> {
  const saved = settingsSchema.safeParse(await readJsonFile(path));
  if (!saved.success) {
    throw new MigrationError('FILE_UNREADABLE', `${printable(path)} was not saved by \`finish\``, {
      hint: `pass a file ${settingsBackup('<zone>')}.json from the folder ${BACKUP_FOLDER}`,
    });
  }
  const { zone, firewallRules, pageRules } = saved.data;
  const settings = settingsOfApi({ ...saved.data, zoneId: zone.id, overrides: [] });
  const unread = [
    ...(firewallRules === null ? ['firewall rules'] : []),
    ...(pageRules === null ? ['page rules'] : []),
  ].map((what): Finding => ({
    code: 'NOT_CHECKED',
    severity: 'info',
    subject: zone.id,
    message: `the file has no ${what}, which could not be read: the report omits them`,
    remedy: 'check in the dashboard for those that bypass or disable the WAF',
  }));
  return { zones: [settings], findings: unread };
}
