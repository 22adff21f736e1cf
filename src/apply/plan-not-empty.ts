import { join } from 'node:path';
import { errorCatalogue } from '../core/error-catalogue';
import { MigrationError } from '../core/migration-error';
import { posixQuote } from '../core/posix-quote';
import { counted, printable } from '../core/printable';
import { withoutKeys } from '../core/resource-address';
import { words } from '../plan/formats/render-command';
import { declareAgain } from '../plan/steps/declare-live';
import { majorOf } from '../plan/facts/provider-versions';
import { isStackFolder } from '../project/cdktf-project';
import { canBeEntryPoint, declaredRulesets } from '../project/declared-rulesets';
import { requireConfiguration } from '../project/read-configuration';
import { type PlannedChange, type Verdict } from '../terraform/judge-plan';
import { isLegacyWafAddress } from '../tfstate/legacy-waf-types';
import { acceptChanges, howToAccept } from './accept-changes';
import { type ApplyContext } from './apply-context';

/** The cause of `PLAN_NOT_EMPTY`, from which `cli` shows each difference. */
export class Differences extends Error {
  constructor(readonly changes: readonly PlannedChange[]) {
    super(counted(changes.length, 'difference'));
  }
}

interface DifferenceContext extends Pick<ApplyContext, 'plan' | 'folder' | 'place'> {
  /** The name of the state that Terraform would change, if it is known. */
  readonly state?: string;
}

/**
 * Requires that Terraform plans only differences that the user accepted, and records these.
 * @param isAcceptable as in {@link acceptChanges}
 * @throws MigrationError `PLAN_NOT_EMPTY`
 */
export async function requireAccepted(
  { differences }: Pick<Verdict, 'differences'>,
  context: Pick<ApplyContext, 'accept' | 'accepted'> & DifferenceContext,
  isAcceptable?: (change: PlannedChange) => boolean,
): Promise<void> {
  const { accept, plan } = context;
  const { remaining, accepted } = acceptChanges(differences, accept, plan, isAcceptable);
  // only a command at the end of a hint is printed on a separate line
  const ways = [
    howToAccept(remaining),
    howToNarrow(remaining),
    (await howToDeclare(remaining, context)) ?? howToRemove(remaining, context),
    (await howToImport(remaining, context)) ?? howToApply(remaining),
  ].filter((way) => way);
  requireClean(remaining, [errorCatalogue.PLAN_NOT_EMPTY, ...ways].join('; '));
  context.accepted.push(...accepted);
}

/**
 * Requires that Terraform plans no difference.
 * @param hint replaces the default hint of the error
 * @throws MigrationError `PLAN_NOT_EMPTY`
 */
export function requireClean(differences: readonly PlannedChange[], hint?: string): void {
  if (differences.length === 0) return;
  const shown = differences.slice(0, 5).map(describeChange).join('; ');
  const more = differences.length > 5 ? `; and ${differences.length - 5} more` : '';
  throw new MigrationError('PLAN_NOT_EMPTY', `Terraform would change something: ${shown}${more}`, {
    cause: new Differences(differences),
    hint,
  });
}

/** A planned change in words: `a.b (update: ttl)`. */
export function describeChange({ address, actions, attributes }: PlannedChange): string {
  const more = attributes.length > 6 ? ` and ${attributes.length - 6} more` : '';
  const paths = `${attributes.slice(0, 6).join(', ')}${more}`;
  return printable(`${address} (${actions.join(' and ')}${paths === '' ? '' : `: ${paths}`})`, 300);
}

/** Returns how to declare the live rules of a ruleset of the plan; undefined if none differs. */
export async function howToDeclare(
  differences: readonly Pick<PlannedChange, 'address'>[],
  { plan: { zones, states }, folder, place, state: changed }: DifferenceContext,
): Promise<string | undefined> {
  const zone = zones.find(
    ({ ruleset }) =>
      ruleset.state === (changed ?? ruleset.state) &&
      differences.some(({ address }) => address === ruleset.address),
  );
  if (zone === undefined) return undefined;
  const { address, state } = zone.ruleset;
  const planned = states.find(({ name }) => name === state);
  const dir = planned?.dir ?? '.';
  const configuration = await requireConfiguration(dir, folder);
  const where = { dir, isSynthesised: isStackFolder(join(folder, dir)), place, configuration };
  const flags = planned === undefined ? [] : ['--provider', String(majorOf(planned.provider.to))];
  const { remedy, command } = declareAgain(where, { ...zone, address }, ...flags);
  return `if ${printable(address, 200)} has to declare the live rules, ${remedy}: ${words(command)}`;
}

type Difference = Pick<PlannedChange, 'address' | 'actions'>;

/** Returns what to edit where blocks still declare legacy resources that left the state; undefined if none does. */
export function howToNarrow(differences: readonly Difference[]): string | undefined {
  const created = differences.find(isStillDeclared);
  return (
    created &&
    `once its resources have left the state, remove the block of ${printable(created.address, 200)}, or the migrated zones from its count, for_each or module call; then run \`apply\` again`
  );
}

/** Whether Terraform would create a legacy resource, because a block that other resources share still declares it. */
export const isStillDeclared = ({ address, actions }: Difference): boolean =>
  actions.includes('create') && isLegacyWafAddress(withoutKeys(address));

/** Returns where a ruleset belongs that is declared in two folders of the plan; undefined if none is. */
function howToRemove(
  differences: readonly PlannedChange[],
  { plan: { zones, states }, state: changed }: DifferenceContext,
): string | undefined {
  const dirOf = (name = ''): string =>
    printable(states.find((one) => one.name === name)?.dir ?? name, 200);
  const ruleset = zones
    .map((zone) => zone.ruleset)
    .find(({ address }) => differences.some((one) => one.address === address));
  return (
    ruleset &&
    `remove ${printable(ruleset.address, 200)} from ${dirOf(changed)}: the plan has it in ${dirOf(ruleset.state)}`
  );
}

/**
 * Returns how to import a ruleset that Terraform would create, or import a second time, if it can be the entry point of a
 * zone; otherwise undefined.
 * @param first what comes before the import
 */
export async function howToImport(
  differences: readonly PlannedChange[],
  { plan: { zones, states }, folder }: Pick<ApplyContext, 'plan' | 'folder'>,
  first = 'roll back, ',
): Promise<string | undefined> {
  const created = differences.filter(
    ({ address, actions }) =>
      actions.some((action) => action === 'create' || action === 'import') &&
      /(^|\.)cloudflare_ruleset\.[\w-]+$/.test(withoutKeys(address)) &&
      !zones.some(({ ruleset }) => ruleset.address === address),
  );
  if (created.length === 0) return undefined;
  const read = await Promise.all(states.map(({ dir }) => requireConfiguration(dir, folder)));
  const declared = read.flatMap((one) => (one === undefined ? [] : declaredRulesets(one)));
  const [found] = created.flatMap(({ address }) => {
    const blocks = declared.filter((one) => one.address === withoutKeys(address));
    // another instance of the block is of another zone
    const candidates = zones.filter(
      ({ zoneId, ruleset }) =>
        withoutKeys(ruleset.address) !== withoutKeys(address) &&
        blocks.every((one) => canBeEntryPoint(one, zoneId)),
    );
    const ids = new Set(candidates.map(({ ruleset }) => ruleset.importId));
    return ids.size === 0 ? [] : { address: printable(address, 200), ids };
  });
  if (found === undefined) return undefined;
  const { address, ids } = found;
  const commands = [...ids].map((id) => `terraform import ${posixQuote(address)} ${id}`);
  const which = ids.size === 1 ? '' : ', with the one of these commands that is for its zone';
  const words = `if ${address} is the ruleset of a zone of the plan, ${first}import it there${which}, then plan again:`;
  return [words, ...commands].join('\n');
}

/** Returns how to apply a pending import of another resource; undefined if there is none. */
function howToApply(differences: readonly Difference[]): string | undefined {
  const pending = differences.filter(({ actions }) => actions.join() === 'import');
  if (pending.length === 0) return undefined;
  const targets = pending.map(({ address }) => posixQuote(`-target=${address}`));
  return `apply first what other blocks import: \`terraform apply ${printable(targets.join(' '))}\``;
}

