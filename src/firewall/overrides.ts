import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { type Client } from '../cloudflare/client';
import {
  type WafOverride,
  wafOverrideFields,
  type WafOverrideFields,
  wafOverrides,
} from '../cloudflare/firewall';
import { isRefusal } from '../cloudflare/refusals';
import { parseId } from '../core/identifier';
import { attempt, MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { writeBackup } from '../files/backups';
import { readJsonFile } from '../files/read-files';
import {
  type LegacySettings,
  mergeSettings,
  readOverride,
} from '../translate/source/legacy-settings';

const FORMAT = 'cf-waf-migrate/waf-override';

export async function readOverrides(
  client: Client,
  zoneId: string,
  id: string | undefined,
): Promise<WafOverride[]> {
  if (id !== undefined) return [await wafOverrides.read(client, zoneId, id)];
  return wafOverrides.list(client, zoneId).catch((error: unknown) => {
    if (!isRefusal(error)) throw error;
    throw error.withHint(
      'check the credentials, or that the zone has not migrated: a migrated zone has no overrides and no API for them',
    );
  });
}

/** Saves an override to a file that `firewall overrides create` accepts, then deletes it. @returns the file */
export async function removeOverride(
  client: Client,
  zoneId: string,
  override: WafOverride,
  folder: string,
): Promise<{ readonly id: string; readonly file: string }> {
  const id = parseId(override.id, 'override id');
  const saved = { format: FORMAT, formatVersion: 1, zoneId, override };
  const file = writeBackup(folder, `waf-override-${id}`, saved);
  await wafOverrides.delete(client, zoneId, id);
  return { id, file };
}

const fields = z.object({ ...wafOverrideFields, urls: z.array(z.string()).min(1) });
const savedFile = z.object({
  format: z.literal(FORMAT),
  formatVersion: z.literal(1),
  zoneId: z.string(),
  override: fields,
});

export function parseSavedOverride(document: unknown): WafOverrideFields {
  const saved = savedFile.safeParse(document);
  if (saved.success) return saved.data.override;
  const plain = fields.safeParse(document);
  if (plain.success) return plain.data;
  throw new MigrationError('OVERRIDE_INVALID', 'the file contains no WAF override');
}

/** Adds the overrides that {@link removeOverride} saved in a folder; one that exists again counts once. */
export async function withSavedOverrides(zone: LegacySettings, folder: string) {
  const names = (attempt(() => readdirSync(folder)) ?? []).sort();
  const files = names.filter((name) => /^waf-override-.+\.json$/.test(name));
  const saved = files.map(async (name) => {
    const path = join(folder, name);
    const file = savedFile.safeParse(await readJsonFile(path));
    if (!file.success) {
      throw new MigrationError('OVERRIDE_INVALID', `${printable(path)} contains no WAF override`, {
        hint: 'restore the file that `firewall overrides delete` saved, or move it away to report without its settings',
      });
    }
    const one = { from: `${basename(folder)}/${name}`, attributes: file.data.override };
    return file.data.zoneId === zone.zoneId ? readOverride(one) : [];
  });
  const contentOf = (one: object) => JSON.stringify({ ...one, from: '', id: '' });
  return {
    ...zone,
    overrides: mergeSettings(zone.overrides, (await Promise.all(saved)).flat(), contentOf),
  };
}
