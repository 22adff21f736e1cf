import { parseAddress } from '../state/address';
import { type Plan, type PlanState, type Run, type Step, type StepKind } from './plan';
import { SAVED_PLAN, terraform } from './orders/terraform-argv';
import { isPassedFlag } from './terraform-flags';

const OUT = `-out=${SAVED_PLAN}`;
const judged = [
  ['show', '-json', SAVED_PLAN],
  ['apply', '-input=false', SAVED_PLAN],
];

/**
 * The commands of each kind of step: the subcommand, and the words that always follow. Beside these stand the flags
 * that a user may pass, and what the step is about.
 */
const commands: Readonly<Record<StepKind, readonly (readonly string[])[]>> = {
  backup: [['state pull']],
  edit: [],
  manual: [],
  import: [['import', '-input=false']],
  'remove-dry-run': [['state rm', '-dry-run']],
  remove: [['state rm']],
  'apply-blocks': [['plan', '-input=false', OUT], ...judged],
  'apply-refresh': [['plan', '-refresh-only', '-input=false', OUT], ...judged],
  'upgrade-provider': [['init', '-upgrade', '-input=false']],
  check: [['plan', '-input=false', '-detailed-exitcode']],
};

/**
 * What of a step's commands no plan of this tool holds: another command, in another folder, a flag that a user cannot
 * pass, as `-state`, or with which a check proves nothing, as `-refresh=false`.
 * @returns the word that is at fault; undefined where there is none
 */
export function unknownWord(step: Step, state: PlanState, plan: Plan): string | undefined {
  const { kind, runs = [] } = step;
  if (kind === 'manual') return runs.map(notGenerate).find((word) => word !== undefined);
  // many addresses need several commands
  const isRepeated = kind === 'remove' || kind === 'remove-dry-run';
  const known = isRepeated ? runs.flatMap(() => commands[kind]) : commands[kind];
  if (isRepeated && runs.length === 0) return 'no command';
  if (runs.length !== known.length) return `${runs.length} commands`;
  const isOperand = operandsOf(step, plan);
  return runs
    .map((run, at) => unknownOf(run, known[at] ?? [], state, isOperand))
    .find((word) => word !== undefined);
}

/** A command for a person: `apply` never runs it. */
function notGenerate({ argv }: Run): string | undefined {
  const [binary = '', subcommand = ''] = argv;
  if (binary !== 'cf-waf-migrate') return binary;
  return subcommand === 'generate' ? undefined : subcommand;
}

function unknownOf(
  { argv }: Run,
  [subcommand = '', ...own]: readonly string[],
  state: PlanState,
  isOperand: (word: string) => boolean,
): string | undefined {
  const start = [...terraform(state), ...subcommand.split(' ')];
  const other = start.findIndex((word, at) => argv[at] !== word);
  if (other !== -1) return argv[other] ?? `no ${start[other] ?? ''}`;
  const rest = argv.slice(start.length);
  const missing = own.find((word) => !rest.includes(word));
  if (missing !== undefined) return `no ${missing}`;
  return rest.find(
    (word) => !own.includes(word) && !isPassedFlag(word, subcommand) && !isOperand(word),
  );
}

/** What a command is about: resources of Cloudflare that the step names. */
function operandsOf(
  { kind, addresses = [], importId, expects }: Step,
  { zones }: Plan,
): (word: string) => boolean {
  const known = new Set(addresses);
  const isNamed = (word: string): boolean => known.has(word) && isOfCloudflare(word);
  if (kind === 'import') {
    return (word) => (word === importId && !word.startsWith('-')) || isNamed(word);
  }
  if (kind === 'remove' || kind === 'remove-dry-run') return isNamed;
  if (kind !== 'check' || expects?.plan !== 'target-empty') return () => false;
  const targets = zones.map(({ ruleset: { address } }) => address).filter(isOfCloudflare);
  return (word) => targets.some((address) => word === `-target=${address}`);
}

function isOfCloudflare(address: string): boolean {
  return parseAddress(address).type.startsWith('cloudflare_');
}
