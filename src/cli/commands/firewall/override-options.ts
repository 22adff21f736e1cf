import { type Command as Commander } from 'commander';
import { type WafOverrideFields } from '../../../cloudflare/firewall';
import { MigrationError } from '../../../model/migration-error';
import { printable } from '../../../model/printable';
import { type FirewallOptions, given, parsePriority, withFirewall } from './options';

/** The flags of the commands for overrides. */
export interface OverrideOptions extends FirewallOptions {
  readonly id?: string;
  readonly url?: string[];
  readonly rule?: string[];
  readonly group?: string[];
  readonly rewrite?: string[];
  readonly priority?: string;
  readonly description?: string;
  readonly paused?: boolean;
  readonly from?: string;
  readonly all?: boolean;
  readonly backup?: string;
  readonly yes?: boolean;
}

/** Adds the flags of what can be set of an override. */
export function withOverrideFields(command: Commander): Commander {
  return withFirewall(command)
    .option('--url <pattern...>', 'URIs, with simple wildcards')
    .option('--rule <id=mode...>', 'mode of a rule: default, disable, simulate, block, challenge')
    .option('--group <id=mode...>', 'mode of a group')
    .option('--rewrite <from=to...>', 'the action that a rule takes instead of its own')
    .option('--priority <number>', 'the lower wins')
    .option('--description <text>', 'what it is for');
}

/** @throws MigrationError `USAGE` */
export function readOverrideFields(options: OverrideOptions): Partial<WafOverrideFields> {
  const { url: urls, rule, group, rewrite, description, paused } = options;
  return given({
    urls,
    rules: readPairs(rule, '--rule'),
    groups: readPairs(group, '--group'),
    rewrite_action: readPairs(rewrite, '--rewrite'),
    priority: parsePriority(options.priority),
    description,
    paused,
  });
}

function readPairs(
  pairs: readonly string[] | undefined,
  flag: string,
): Record<string, string> | undefined {
  if (pairs === undefined) return undefined;
  const entries = pairs.map((pair): [string, string] => {
    const [, key, value] = /^([^=]+)=([^=]+)$/.exec(pair) ?? [];
    if (key !== undefined && value !== undefined) return [key, value];
    throw new MigrationError('USAGE', `${flag} "${printable(pair, 80)}" is not <key>=<value>`);
  });
  return Object.fromEntries(entries);
}
