import { errorCatalogue } from '../core/error-catalogue';
import { type Finding } from '../core/finding';
import { MigrationError } from '../core/migration-error';
import { acceptFlag } from '../core/posix-quote';
import { printable } from '../core/printable';
import { checkAddress, withoutKeys } from '../core/resource-address';
import { type Expects, folderOfFile, type Plan } from '../plan/plan';
import { type PlannedChange, type Verdict } from '../terraform/judge-plan';
import { isOldWafAddress } from '../tfstate/legacy-waf-types';
import { type ApplyContext } from './apply-context';

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

/** What stopped a check, for who shows each difference; a cause, not an error of its own. */
export class Differences extends Error {
  constructor(readonly changes: readonly PlannedChange[]) {
    super(`${changes.length} difference${changes.length === 1 ? '' : 's'}`);
  }
}

/**
 * A plan of Terraform that would do more than it may: nothing of it is applied.
 * @param hint what to do, where it is not to look at the plan of Terraform
 * @throws MigrationError `PLAN_NOT_EMPTY`
 */
export function requireClean(
  { differences }: Pick<Verdict, 'differences'>,
  hint = hintOf(differences),
): void {
  if (differences.length === 0) return;
  const shown = differences.slice(0, 5).map(describe).join('; ');
  const more = differences.length > 5 ? `; and ${differences.length - 5} more` : '';
  throw new MigrationError('PLAN_NOT_EMPTY', `Terraform would change something: ${shown}${more}`, {
    cause: new Differences(differences),
    ...(hint !== undefined && { hint }),
  });
}

/**
 * As {@link requireClean}, but for the differences that the user named, which are noted.
 * @param canBe as of {@link acceptChanges}
 * @throws MigrationError `PLAN_NOT_EMPTY`
 */
export function requireAccepted(
  { differences }: Pick<Verdict, 'differences'>,
  context: Pick<ApplyContext, 'accept' | 'accepted' | 'plan'>,
  canBe?: (change: PlannedChange) => boolean,
): void {
  const others = withoutRemovedOutputs(differences, context.plan);
  const { left, accepted } = acceptChanges(others, context.accept, canBe);
  requireClean({ differences: left });
  context.accepted.push(...accepted);
}

function hintOf(differences: readonly PlannedChange[]): string | undefined {
  const flags = howToAccept(differences);
  return flags && `${errorCatalogue.PLAN_NOT_EMPTY}; ${flags}`;
}

function describe({ address, actions, attributes }: PlannedChange): string {
  const paths = attributes.slice(0, 6).join(', ');
  return printable(`${address} (${actions.join(' and ')}${paths === '' ? '' : `: ${paths}`})`, 300);
}

/**
 * Takes for a difference whatever a plan of Terraform imports or forgets that a step does not expect, as a
 * block of somebody else does that was never applied: it is theirs to apply.
 */
export function expectedAlone(
  { differences, allowed }: Verdict,
  { gone = [], present = [] }: Expects = {},
): Pick<Verdict, 'verdict' | 'differences' | 'allowed'> {
  const expected = new Set([
    ...gone.map((address) => `forget ${address}`),
    ...present.map((address) => `import ${address}`),
  ]);
  const isExpected = ({ address, actions }: Verdict['allowed'][number]): boolean =>
    actions.every((action) => expected.has(`${action} ${address}`));
  const all = [...differences, ...allowed.filter((change) => !isExpected(change))];
  return {
    verdict: all.length === 0 ? 'clean' : 'dirty',
    differences: all,
    allowed: allowed.filter(isExpected),
  };
}

/** The flags that accept the outputs among differences; undefined where none is an output. */
export function howToAccept(
  differences: readonly Pick<PlannedChange, 'address' | 'isOutput'>[],
): string | undefined {
  const outputs = new Set(
    differences.flatMap(({ address, isOutput }) => (isOutput === true ? [address] : [])),
  );
  if (outputs.size === 0) return undefined;
  return `where the change of an output is as it should be, pass ${[...outputs].map(acceptFlag).join(' ')}`;
}
