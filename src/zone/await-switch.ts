import { type Client } from '../cloudflare/client';
import { type MigrationStatus, positionOf, readMigrationStatus } from '../cloudflare/waf-migration';

/** How long to wait, and who is told. */
export interface WaitOptions {
  /** Seconds; 0 looks once. */
  readonly seconds: number;
  /** Told what is waited for. */
  readonly say: (text: string) => void;
  /** The clock, in milliseconds. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** Where a zone is at the end of the wait. */
export interface Awaited {
  /** What the service said last. */
  readonly status: MigrationStatus;
  readonly moved: boolean;
  /** Nothing to wait for: no switch comes as things are. */
  readonly stuck: boolean;
}

const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

/**
 * Waits until a zone has switched: the old WAF off, the new one on. The service can take up to an
 * hour (facts: cloudflare.md 2.5), with both running meanwhile.
 * @param isStuck whether waiting is in vain
 */
export async function awaitSwitch(
  client: Client,
  zoneId: string,
  { seconds, say, now, sleep }: WaitOptions,
  isStuck: (status: MigrationStatus) => Promise<boolean>,
): Promise<Awaited> {
  const start = now();
  for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    const status = await readMigrationStatus(client, zoneId);
    if (positionOf(status) === 'moved') return { status, moved: true, stuck: false };
    if (await isStuck(status)) return { status, moved: false, stuck: true };
    const left = start + seconds * 1000 - now();
    if (left <= 0) return { status, moved: false, stuck: false };
    const { oldWaf = 'unknown', newWaf = 'unknown', migrationState = 'unknown' } = status;
    say(
      `waiting until the service has switched (old WAF ${oldWaf}, new WAF ${newWaf}, state ${migrationState}), at most ${Math.ceil(left / 1000)} s more`,
    );
    await sleep(Math.min(pause, left));
  }
}
