import { type Command as Commander, Option } from 'commander';
import { type FirewallRuleFields } from '../../../cloudflare/firewall';
import { type FirewallOptions, given, parsePriority, withFirewall } from './options';

/** The flags of the commands for firewall rules. */
export interface RuleOptions extends FirewallOptions {
  readonly id?: string;
  readonly filterId?: string;
  readonly expression?: string;
  readonly action?: string;
  readonly product?: string[];
  readonly priority?: string;
  readonly description?: string;
  readonly ref?: string;
  readonly paused?: boolean;
  readonly sequence?: string;
  readonly keepFilter?: boolean;
  readonly backup?: string;
  readonly yes?: boolean;
}

/** What the providers know as actions (3.35, `cloudflare_firewall_rule`). */
const ACTIONS = [
  'block',
  'challenge',
  'js_challenge',
  'managed_challenge',
  'allow',
  'log',
  'bypass',
];

/** Adds the flags of what can be set of a rule. */
export function withRuleFields(command: Commander): Commander {
  return withFirewall(command)
    .option('--filter-id <id>', 'a filter that is there')
    .option('--expression <expression>', 'what its filter matches')
    .addOption(new Option('--action <action>', 'what happens to a match').choices(ACTIONS))
    .option('--product <product...>', 'what bypass bypasses, waf for the managed rules')
    .option('--priority <number>', 'the lower is looked at first')
    .option('--description <text>', 'what it is for')
    .option('--ref <ref>', 'a name of your own');
}

/** @throws MigrationError `USAGE` */
export function readRuleFields(options: RuleOptions): Partial<Omit<FirewallRuleFields, 'action'>> {
  const { product: products, description, ref, paused } = options;
  const priority = parsePriority(options.priority);
  return given({ products, description, ref, paused, priority });
}
