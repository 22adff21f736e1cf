import { join } from 'node:path';
import { type RateLimiter } from '../cloudflare/rate-limiter';
import { MigrationError } from '../model/migration-error';
import { printable } from '../model/printable';
import { type CliContext } from './context';

/** What requests are counted by. */
export interface LimiterRequest {
  readonly baseUrl: string;
  /** What the service knows the user by; only its hash gets into the name of a file. */
  readonly secret: string;
  /** Of `--rate`. */
  readonly rate: string | undefined;
  /** Tells the user. */
  readonly notice: (text: string) => void;
}

/**
 * The limiter of a run: shared with all other runs of this user on this machine that have the same
 * credentials, because the service counts them together.
 * @throws MigrationError `USAGE`
 */
export async function createLimiter(
  { baseUrl, secret, rate, notice }: LimiterRequest,
  { environment }: Pick<CliContext, 'environment'>,
): Promise<RateLimiter> {
  const options = {
    ...(rate === undefined ? {} : { requests: parseRate(rate) }),
    onWait: (milliseconds: number) => {
      const seconds = Math.ceil(milliseconds / 1000);
      notice(`the limit of requests is reached: waiting ${seconds} seconds\n`);
    },
  };
  const folder = recordFolder(environment, baseUrl);
  if (folder === undefined) {
    const { createRateLimiter } = await import('../cloudflare/rate-limiter');
    return createRateLimiter(options);
  }
  const { createHash } = await import('node:crypto');
  const { makeFolders } = await import('../actions/make-folders');
  const { createSharedRateLimiter } = await import('../cloudflare/shared-rate-limiter');
  const hash = createHash('sha256').update(`${baseUrl}\n${secret}`).digest('hex');
  return createSharedRateLimiter({
    ...options,
    path: join(folder, `rate-${hash.slice(0, 32)}`),
    makeFolder: () => makeFolders(folder, 0o700),
    onUnshared: (cause) => {
      const why = printable(cause instanceof Error ? cause.message : String(cause), 300);
      notice(
        `other runs on this machine are not counted: cannot write in ${printable(folder)}: ${why}\n`,
      );
    },
  });
}

/**
 * `CF_WAF_MIGRATE_STATE_DIR` (`off`: none), else a folder of the user. None where the service is on
 * this machine: it is an emulator, and each is a service of its own.
 */
function recordFolder(environment: CliContext['environment'], baseUrl: string): string | undefined {
  const own = environment['CF_WAF_MIGRATE_STATE_DIR'];
  if (own) return own === 'off' ? undefined : own;
  if (/^https?:\/\/(localhost|127\.|\[::1\])/i.test(baseUrl)) return undefined;
  const home = environment['HOME'];
  const base =
    environment['XDG_STATE_HOME'] ||
    (home ? join(home, '.local/state') : environment['LOCALAPPDATA']);
  return base ? join(base, 'cf-waf-migrate') : undefined;
}

/** The service allows 1,200 in five minutes and then refuses everything: more is never right. */
function parseRate(text: string): number {
  const rate = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (rate >= 1 && rate <= 1200) return rate;
  throw new MigrationError(
    'USAGE',
    `--rate "${printable(text, 20)}" is not a number from 1 to 1200`,
  );
}
