import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { type PlanState } from '../../plan/plan';
import { isRulesetOfThree } from '../../state/is-ruleset-of-three';
import { parseState } from '../../state/parse-state';

/** A state as it is now, and as the steps of this run leave it. */
export interface LiveState {
  readonly bytes: Buffer;
  readonly lineage: string;
  readonly serial: number;
  readonly addresses: Set<string>;
  /** Rulesets whose entries provider 3 wrote, which 5 cannot read. */
  readonly ofThree: Set<string>;
}

/** Reads what `terraform state pull` gave; a backend without a state has nothing in it. */
export function readLiveState(bytes: Buffer): LiveState {
  if (bytes.length === 0)
    return { bytes, lineage: '', serial: 0, addresses: new Set(), ofThree: new Set() };
  // every address of a plan is of a type that is read in full
  const { lineage, serial, resources } = parseState(bytes);
  const addresses = resources.flatMap(({ instances }) => instances.map(({ address }) => address));
  const ofThree = resources
    .filter(({ type, mode }) => mode === 'managed' && type === 'cloudflare_ruleset')
    .flatMap(({ instances }) => instances.filter(isRulesetOfThree))
    .map(({ address }) => address);
  return { bytes, lineage, serial, addresses: new Set(addresses), ofThree: new Set(ofThree) };
}

/**
 * Checks that it is the state that was planned for: the same one, and in a first run unchanged.
 * @throws MigrationError `STATE_CHANGED`
 */
export function requirePlanned(live: LiveState, planned: PlanState, isFirstRun: boolean): void {
  const name = `state ${printable(planned.name, 80)}`;
  if (live.lineage !== planned.lineage && planned.lineage !== '') {
    throw new MigrationError(
      'STATE_CHANGED',
      `${name} is another one than was planned for: its lineage differs`,
    );
  }
  if (isFirstRun && live.serial !== planned.serial) {
    const message = `${name} was written since the plan was made: serial ${live.serial}, planned for ${planned.serial}`;
    throw new MigrationError('STATE_CHANGED', message);
  }
  if (live.serial < planned.serial) {
    throw new MigrationError(
      'STATE_CHANGED',
      `${name} is older than the plan: serial ${live.serial}`,
    );
  }
}
