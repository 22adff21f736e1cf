import { errorCatalogue } from '../core/error-catalogue';
import { MigrationError } from '../core/migration-error';
import { acceptFlag } from '../core/posix-quote';
import { printable } from '../core/printable';
import { type Expects } from '../plan/plan';
import { type PlannedChange, type Verdict } from '../terraform/judge-plan';
import { acceptChanges, withoutRemovedOutputs } from './accept-changes';
import { type ApplyContext } from './apply-context';

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
