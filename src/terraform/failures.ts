import { existsSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { dataFolder, type Environment } from './environment';

interface Failure {
  readonly command: string;
  readonly dir: string;
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly said: string;
  readonly environment: Environment;
}

export const HINT_INIT = 'run `terraform init` in that folder, then run the same command again';
export const HINT_CORRECT =
  'correct the file at the line that the cause names, then run the same command again';
const HINT_INIT_UPGRADE =
  'the lock file selects another provider version than the configuration requires: run the next command of `cf-waf-migrate status` first, because only a plan upgrades what is imported. If there is none, run `terraform init -upgrade` in the folder of the configuration, then run the same command again';

const initHints: Readonly<Record<string, string>> = {
  [HINT_INIT]: 'init',
  [HINT_INIT_UPGRADE]: 'init -upgrade',
};

/** The subcommand that a hint of a failure names, if it initialises the folder. */
export function initOf(hint = ''): string | undefined {
  return initHints[hint];
}

/** Hints for Terraform errors that running the command by hand would not solve. */
const hints: readonly (readonly [RegExp, string])[] = [
  [
    /No value for required variable/,
    'plan again with the flags for Terraform, which are part of the plan: `-- -var-file=…`',
  ],
  [
    // codes 6003 and 6111 are those of a malformed token
    /Authentication error|Invalid request headers|(?:\(|"code": ?)(?:6003|6111)\b|must provide one of/,
    'check the credentials that the provider reads, such as CLOUDFLARE_API_TOKEN. The legacy API of a migrated zone refuses all credentials',
  ],
  [
    // provider 5.22.0 (measured)
    /v\d ruleset state/,
    'plan the import of the rulesets that an earlier provider version wrote to the state:\ncf-waf-migrate plan',
  ],
  [
    // `plan` removes legacy resources, filters and firewall rules
    /no schema available for (?:\S*\.)?cloudflare_(?!waf|filter|firewall_rule)/,
    'restore the `moved` block of the resource that the cause names, if it had one. Otherwise, run `terraform state rm` with its address in your folder: this sends no request. Then run the same command again',
  ],
  [
    /Moved resource instances excluded by targeting/,
    'run `terraform state mv` in your folder for each resource that the cause names, with its address in the state and the one in the configuration (such as ADDRESS[0]), then run the same command again',
  ],
  [
    /Configuration for import target does not exist/,
    'select the workspace of the plan, and set the variables to the values that they had for it: with others, the `count` of the ruleset is 0. Then run the same command again',
  ],
  [
    // HCP Terraform, with remote runs
    /Saving a generated plan is currently not supported|Saved plans not allowed/,
    'set the execution mode of the workspace to local, because the checks need a saved plan. Then run the same command again',
  ],
  [
    /prevent_destroy/,
    'keep prevent_destroy, whatever Terraform advises: without it, this resource would be destroyed. If the state marks it as tainted, run `terraform untaint` with its address',
  ],
  [
    /provider (?:registry\.\S+\/)?hashicorp\/cloudflare(?![\w-])/,
    'each module that declares a resource needs the provider in its required_providers, or Terraform takes hashicorp/cloudflare. Add it there, also in the root module: cloudflare = { source = "cloudflare/cloudflare" }. Then run `terraform init`, and the same command again',
  ],
  [
    /terraform init -upgrade|locked version selection|does not match configured version constraint/,
    HINT_INIT_UPGRADE,
  ],
  // a new clone: the message also names the flags for a backend that changed
  [/Reason: Initial configuration of/, HINT_INIT],
  [
    /"-reconfigure" or "-migrate-state"/,
    'the backend of the folder is not the one that `terraform init` recorded. If the stack was synthesised for another environment, synthesise it for this one. If the state is in the new backend, run `terraform init -reconfigure` there; if it has to move there, `terraform init -migrate-state`, which overwrites a state in the new backend. Then run the same command again',
  ],
  // Terraform writes a local state in place, so a full disk truncates it (measured with 1.11)
  [
    /no space left on device|disk quota exceeded|state file could not be parsed as JSON/i,
    'check the disk, and whether a local state is complete; if not, restore terraform.tfstate.backup or the newest .tfstate of cf-waf-migrate-backup, then run the same command again',
  ],
];

export const HINT_KILLED =
  'check what ended it, for example a lack of memory, then run the same cf-waf-migrate command again to resume';

/** Whether SIGKILL ended the process, or the process behind a wrapper: shells report 128 plus the signal number. */
export function wasKilled(code: number | null): code is 137 | null {
  return code === null || code === 137;
}

/** With TF_IN_AUTOMATION, which this tool sets, Terraform omits the command from some messages. */
const NOT_INITIALISED =
  /\bterraform init\b|Required plugins are not installed|Inconsistent dependency lock file/;

/** The place of an error in the configuration; the one of a provider has `with <address>,` before it. */
const CONFIGURATION_ERROR = /[^,] on \S+ line \d+/;

/** The hint about a folder that is not initialised, or whose configuration Terraform refuses. */
function hintOfFolder({ command, dir, environment }: Failure, said: string): string | undefined {
  const isInit = command.startsWith('terraform init');
  if (!isInit && NOT_INITIALISED.test(said)) return HINT_INIT;
  if (CONFIGURATION_ERROR.test(said)) return HINT_CORRECT;
  return isInit || existsSync(dataFolder(dir, environment)) ? undefined : HINT_INIT;
}

/**
 * The error if another process has locked the state; undefined if Terraform does not name the lock. An http
 * backend reports the lock info of the failed command, so only the id of the other lock is printed.
 */
function stateLocked(place: string, said: readonly string[]): MigrationError | undefined {
  const whole = said.join(' ');
  if (!whole.includes('Error acquiring the state lock')) return undefined;
  const field = (name: string): string => {
    const line = said.find((one) => one.startsWith(`${name}:`)) ?? '';
    return printable(line.slice(name.length + 1).trim(), 200);
  };
  const isHttp = /HTTP remote state already locked/.test(whole);
  const id = isHttp ? (/already locked: ID=(\S+)/.exec(whole)?.[1] ?? '') : field('ID');
  if (id === '') return undefined;
  const holder = isHttp ? 'another process' : `${field('Who')} since ${field('Created')}`;
  return new MigrationError(
    'STATE_LOCKED',
    `${place}: the state is locked by ${holder}, lock id ${printable(id, 200)}`,
    {
      hint: `wait until that process has ended, then run the same command again; if it no longer runs, first run this in that folder:\nterraform force-unlock ${/^[\w-]+$/.test(id) ? id : '<id>'}`,
    },
  );
}

/** The error for a failed subcommand: its first error as message, the rest as cause. */
export function terraformFailure(failure: Failure): MigrationError {
  const { command, dir, code } = failure;
  const said = failure.said
    .split('\n')
    .flatMap(redactLines(failure.environment))
    .map((line) => line.replace(/^[│╷╵\s]+/, '').trim())
    .filter((line) => line !== '');
  const first = said.findIndex((line) => line.startsWith('Error: '));
  // warnings come first
  const errors = said.slice(Math.max(first, 0));
  // some subcommands print an error twice
  const [error = 'no message', ...rest] = new Set(errors);
  const locked = stateLocked(`${command} in ${printable(dir)}`, said);
  if (locked !== undefined) return locked;
  const exit = wasKilled(code) ? 'was killed' : `failed with exit code ${code}`;
  const message = `${command} ${exit} in ${printable(dir)}: ${printable(error, 300)}`;
  const cause = rest.length === 0 ? undefined : new Error(rest.slice(0, 12).join(' '));
  // Terraform wraps its lines at any word
  const whole = errors.join(' ');
  const [, known] = hints.find(([pattern]) => pattern.test(whole)) ?? [];
  const hint = known ?? (wasKilled(code) ? HINT_KILLED : hintOfFolder(failure, whole));
  return new MigrationError('TERRAFORM_FAILED', message, { cause, hint });
}

const SECRET = /TOKEN|KEY|SECRET|PASSWORD|PASSPHRASE|CREDENTIAL|CONN_STR|^TF_ENCRYPTION$/i;

/** User and query of a URL, which can contain user names, tokens and signatures. */
const OF_ADDRESS =
  /\b([a-z][a-z0-9+.-]{0,20}:\/\/)(?:[^\s/?#"'`<>]*@)?([^\s?#"'`<>]*)(\?[^\s#"'`<>)\]]*)?/gi;
/** A query with only the revision of a module. */
const REVISION = /^\?ref=[\w./-]+$/;

/** A credential that provider 3.35.0 refuses (measured); a wrapped value goes on in the lines that follow. */
const CREDENTIAL = /\bAttribute api_\w+/;

/**
 * Returns a function that redacts Terraform output line by line. It removes lines of the configuration, which
 * can be of a linked file: the place is in the line before them.
 */
export function redactLines(environment: Environment): (line: string) => string[] {
  let isOfCredential = false;
  let isValue = false;
  return (raw) => {
    const line = stripVTControlCharacters(raw);
    if (/^[│\s]*\d+: /.test(line)) return [];
    if (/^[│\s]*(?:Error|Warning): |╵/.test(line)) isOfCredential = isValue = false;
    if (isValue) return [];
    if (CREDENTIAL.test(line)) isOfCredential = true;
    isValue = isOfCredential && line.includes('got:');
    const kept = isValue ? line.replace(/got:[^]*/, 'got: [redacted]') : line;
    return [redactSecrets(kept, environment)];
  };
}

/** Removes the values of secret variables and the secrets in URLs from Terraform output. */
export function redactSecrets(text: string, environment: Environment): string {
  const secrets = Object.entries(environment).flatMap(([name, value]) =>
    SECRET.test(name) && value !== undefined ? value.split('\n').map((line) => line.trim()) : [],
  );
  // longest first, because a secret can be the prefix of another one
  const redacted = secrets
    .filter((secret) => secret.length >= 8)
    .sort((one, other) => other.length - one.length)
    .reduce((left, secret) => left.replaceAll(secret, '[redacted]'), text);
  return redacted.replace(OF_ADDRESS, (_, scheme: string, place: string, query?: string) =>
    [scheme, place, query === undefined || REVISION.test(query) ? query : '?[redacted]'].join(''),
  );
}
