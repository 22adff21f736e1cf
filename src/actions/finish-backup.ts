import { z } from 'zod';
import { type NamedZone } from '../cloudflare/zones';
import { parseRuleset } from '../generate/parse-ruleset';
import { MigrationError } from '../model/migration-error';
import { type Preflight } from './finish-preflight';
import { readJsonFile } from './read-json-file';
import { lastBackup, writeBackup } from './write-backup';

const FORMAT = 'cf-waf-migrate/finish-backup';

/** Saves the old settings, what stood, what was proposed, and what is sent. @returns the path */
export function saveBackup(
  folder: string,
  { id, name, plan }: NamedZone,
  { migrationState, config, standing, oldWaf }: Preflight,
  sends: unknown,
): string {
  return writeBackup(folder, nameOf(id), {
    format: FORMAT,
    formatVersion: 1,
    zone: { id, name, plan },
    migrationState,
    oldWaf,
    entryPoint: standing?.raw ?? null,
    config,
    sends,
  });
}

const savedSchema = z.object({ format: z.literal(FORMAT), sends: z.unknown() });

/** The ruleset that an earlier run has sent, or was about to; undefined when no backup of the zone says so. */
export async function latestSent(folder: string, zoneId: string): Promise<unknown> {
  const latest = lastBackup(folder, nameOf(zoneId));
  if (latest === undefined) return undefined;
  try {
    const saved = savedSchema.safeParse(await readJsonFile(latest));
    if (!saved.success) return undefined;
    const { sends } = saved.data;
    parseRuleset(sends);
    return sends;
  } catch (error) {
    // A backup that cannot be read, or was changed by hand, is no reason to stop a zone half-way.
    if (error instanceof MigrationError) return undefined;
    throw error;
  }
}

function nameOf(zoneId: string): string {
  return `old-waf-${zoneId}`;
}
