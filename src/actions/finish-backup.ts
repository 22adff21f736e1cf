import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type NamedZone } from '../cloudflare/zones';
import { MigrationError } from '../model/migration-error';
import { type Preflight } from './finish-preflight';
import { readJsonFile } from './read-json-file';
import { writeBackup } from './write-backup';

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

/** What an earlier run has sent, or was about to; undefined when there is no backup of the zone. */
export async function latestSent(folder: string, zoneId: string): Promise<unknown> {
  let latest: string | undefined;
  for (let number = 1; ; number += 1) {
    const path = join(folder, `${nameOf(zoneId)}${number === 1 ? '' : `-${number}`}.json`);
    if (!existsSync(path)) break;
    latest = path;
  }
  if (latest === undefined) return undefined;
  try {
    const saved = savedSchema.safeParse(await readJsonFile(latest));
    return saved.success ? saved.data.sends : undefined;
  } catch (error) {
    // A backup that cannot be read is no reason to stop a zone half-way.
    if (error instanceof MigrationError) return undefined;
    throw error;
  }
}

function nameOf(zoneId: string): string {
  return `old-waf-${zoneId}`;
}
