import { checkAddress, withoutKeys } from '../core/resource-address';
import { type Finding } from '../core/finding';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { type Plan, folderOfFile } from '../plan/plan';
import { isOldWafAddress } from '../tfstate/legacy-waf-types';
import { type PlannedChange } from '../terraform/judge-plan';

/** A difference that the user named: all of a resource, or one attribute of it. */
export interface Acceptance {
  /** As it was given: `aws_instance.web:tags.Owner`. */
  readonly text: string;
  readonly address: string;
  /** As `PlannedChange.attributes` has it. */
  readonly attribute: string | undefined;
}

/** A difference, or a part of one, that was accepted. */
export interface AcceptedChange extends PlannedChange {
  /** What the user gave that names it. */
  readonly by: readonly string[];
}

/**
 * Reads `<address>[:<attribute path>]`. Keys of an address can hold a colon, between quotes.
 * @throws MigrationError `USAGE`, `ADDRESS_INVALID`
 */
export function parseAcceptance(text: string): Acceptance {
  const [, address = '', attribute] =
    /^((?:[^:"]|"(?:[^"\\]|\\.)*")+)(?::(.+))?$/s.exec(text) ?? [];
  if (address === '') {
    throw new MigrationError(
      'USAGE',
      `--accept "${printable(text, 200)}" is not <address> or <address>:<attribute>`,
    );
  }
  checkAddress(address);
  if (attribute === undefined && isRuleset(address)) {
    throw new MigrationError(
      'USAGE',
      `--accept ${printable(address, 200)}: of a ruleset each attribute is accepted by its name`,
      { hint: 'pass --accept <address>:<attribute>, as the difference names it' },
    );
  }
  return { text, address, attribute };
}

/**
 * Takes out of differences what the user named. That is an update in place of what a resource has, or the
 * change of an output: a creation, deletion or replacement of a resource is accepted by nothing, and nothing
 * of an old resource is. A `moved` block alone changes an address and no resource: it needs no name.
 *
 * @param canBe what can be accepted at all
 * @returns the differences, or parts of them, that stay, and those that were accepted
 */
export function acceptChanges(
  differences: readonly PlannedChange[],
  acceptances: readonly Acceptance[],
  canBe: (change: PlannedChange) => boolean = canBeAccepted,
): { readonly left: readonly PlannedChange[]; readonly accepted: readonly AcceptedChange[] } {
  const left: PlannedChange[] = [];
  const accepted: AcceptedChange[] = [];
  for (const difference of differences) {
    if (isMoveAlone(difference)) {
      accepted.push({ ...difference, by: [] });
      continue;
    }
    const named = canBe(difference)
      ? acceptances.filter(({ address }) => address === difference.address)
      : [];
    const whole = named.find(({ attribute }) => attribute === undefined);
    const by = whole === undefined ? named : [whole];
    const isNamed = (path: string): boolean =>
      whole !== undefined || named.some(({ attribute }) => attribute === path);
    const taken = difference.attributes.filter(isNamed);
    const rest = difference.attributes.filter((path) => !isNamed(path));
    if (taken.length > 0 || whole !== undefined) {
      const texts = by.filter(
        ({ attribute }) => attribute === undefined || taken.includes(attribute),
      );
      accepted.push({ ...difference, attributes: taken, by: texts.map(({ text }) => text) });
    }
    if (rest.length > 0 || (taken.length === 0 && whole === undefined)) {
      left.push({ ...difference, attributes: rest });
    }
  }
  return { left, accepted };
}

/** Differences less the deletion of outputs of the root that the edits of the plan remove. */
export function withoutRemovedOutputs(
  differences: readonly PlannedChange[],
  { steps, states }: Pick<Plan, 'steps' | 'states'>,
): readonly PlannedChange[] {
  const roots = new Set(states.map(({ dir }) => dir));
  const removed = new Set(
    steps
      .flatMap(({ edits = [] }) => edits)
      .flatMap(({ file, remove }) => (roots.has(folderOfFile(file)) ? remove : []))
      .map(({ address }) => address),
  );
  return differences.filter(
    ({ address, actions, isOutput }) =>
      !(isOutput === true && actions.join() === 'delete' && removed.has(address)),
  );
}

/** What was named and is no difference that can be accepted: out of date, or misspelt. */
export function unusedAcceptances(
  acceptances: readonly Acceptance[],
  accepted: readonly AcceptedChange[],
): Finding[] {
  const used = new Set(accepted.flatMap(({ by }) => by));
  return acceptances
    .filter(({ text }) => !used.has(text))
    .map(({ text }) => ({
      code: 'NOTHING_ACCEPTED',
      severity: 'info',
      subject: text,
      message: `--accept ${printable(text, 200)} names no difference that can be accepted`,
      remedy:
        'leave it out, or spell it as the difference does; only an update in place, or the change of an output, is accepted',
    }));
}

/** What can be accepted of a plan that is applied, too: an output is a value of the state, and no resource changes by it. */
export function isOutputChange({
  isOutput,
  actions: [action = '', another],
}: PlannedChange): boolean {
  return (
    isOutput === true && another === undefined && ['create', 'update', 'delete'].includes(action)
  );
}

function isMoveAlone({ address, actions }: PlannedChange): boolean {
  return actions.join() === 'move' && !isOldWafAddress(withoutKeys(address));
}

function canBeAccepted(change: PlannedChange): boolean {
  const { address, actions } = change;
  if (isOutputChange(change)) return true;
  return actions.length === 1 && actions[0] === 'update' && !isOldWafAddress(withoutKeys(address));
}

function isRuleset(address: string): boolean {
  return withoutKeys(address).split('.').at(-2) === 'cloudflare_ruleset';
}
