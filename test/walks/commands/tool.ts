import fc from 'fast-check';
import { faultPoints } from '../../support/fault-points';
import { type Fault } from '../layer';

/** A fault outside the tool: the API fails, the state is locked, or a push is refused. */
export type OutsideFault =
  | { kind: 'api'; fault: object }
  | { kind: 'locked' }
  | { kind: 'lock-lost'; after: number }
  | { kind: 'push-refused' };

/**
 * A run of the tool. Its line may have placeholders: `$zone0`, `$name0` and `$dirOf0` of a zone, `$dirs` of all folders,
 * `$journal` of the latest run, `$accept` for each decision of the plan.
 */
export interface ToolAction {
  do: 'tool';
  /** The words after the name of the tool, each with one space before the next. */
  line: string;
  fault?: Fault | OutsideFault;
  /** Whether to start the command twice at the same time. */
  twice?: boolean;
}

/** One of the words, where an empty one is more likely by its weight. */
const rarely = (weight: number, ...words: string[]) =>
  fc.oneof({ arbitrary: fc.constant(''), weight }, fc.constantFrom(...words));
const zone = fc.nat(2);

const plan = fc
  .tuple(
    fc.oneof(
      zone.map((at) => `--zone $zone${at}`),
      fc.constant('$zones'),
    ),
    rarely(4, '--method blocks', '--method commands', '--method blocks --write'),
    rarely(5, '--to 4.52.8', '--to 5.22.0'),
    rarely(1, '-- -lock-timeout=0s'),
  )
  .map(
    ([zones, method, to, lock]) =>
      `plan ${zones} $dirs ${method} ${to} --format json --out plan.json --force --json ${lock}`,
  );
const apply = fc
  .tuple(fc.constantFrom('$accept', '$accept', '$accept', '$accept', ''), rarely(9, '--only edits'))
  .map(([accepted, only]) => `apply plan.json --yes ${accepted} ${only}`);
const rollback = rarely(5, '--force').map((force) => `rollback $journal --yes ${force}`);
const cheap = fc
  .tuple(
    fc.constantFrom(
      ...['rehearse plan.json', 'verify plan.json', 'status --zone $zoneN', 'status $dirs'],
      ...['fetch-config --zone $zoneN', 'check --zone $zoneN', 'check --zone $zoneN --phase 1'],
      ...['firewall rules list --zone $zoneN', 'firewall filters list --zone $zoneN'],
      ...['firewall overrides list --zone $zoneN', 'report --zone $zoneN --dir $dirOfN'],
      ...['catalogue lookup 100000', 'fleet status'],
    ),
    zone,
  )
  .map(([line, at]) => line.replaceAll(/(?<=\$\w+)N/g, String(at)));
// rare, because it loads DuckDB
const review = zone.map((at) => `review --zone $zone${at} --since 1h`);
const reading = fc.oneof({ arbitrary: cheap, weight: 40 }, { arbitrary: review, weight: 1 });
const moving = fc
  .tuple(
    zone,
    fc.oneof(
      fc.constantFrom('start-validation --yes', 'start-validation', 'generate'),
      fc.constantFrom('--confirm $nameN', '--confirm another.example.com', ''),
    ),
  )
  .map(([at, what]) => {
    if (what.startsWith('start-validation')) return `${what} --zone $zone${at}`;
    if (what === 'generate') {
      return `generate --zone $zone${at} --source live --out $dirOf${at} --force`;
    }
    return `finish --zone $zone${at} ${what.replace('N', String(at))} --wait 2`;
  });

const apiFault = fc
  .record({
    after: fc.nat(6),
    fault: fc.constantFrom<object>(
      { kind: 'status', status: 429, retryAfter: 0 },
      { kind: 'status', status: 500 },
      { kind: 'drop', when: 'before' },
      { kind: 'drop', when: 'after' },
      { kind: 'status', html: true },
    ),
  })
  .map(({ after, fault }): OutsideFault => ({ kind: 'api', fault: { ...fault, after, times: 1 } }));

const otherFaults = fc.oneof<fc.Arbitrary<Fault>[]>(
  fc.nat(900).map((after): Fault => ({ kind: 'interrupt', after })),
  fc
    .record({
      at: fc.constantFrom('state pull', 'state rm', 'state push', 'import', 'plan', 'apply'),
      when: fc.constantFrom<'before' | 'after'>('before', 'after'),
    })
    .map(({ at, when }): Fault => ({ kind: 'terraform-killed', at, when })),
  fc.nat(40).map((pages): Fault => ({ kind: 'disk-full', kib: 4 * pages })),
);
const outsideFault = fc.oneof(
  apiFault,
  fc.nat(5).map((after): OutsideFault => ({ kind: 'lock-lost', after })),
  fc.constantFrom<OutsideFault>({ kind: 'locked' }, { kind: 'push-refused' }),
);

const killAt = (isPoint: (point: string) => boolean) =>
  fc.constantFrom(...faultPoints.filter(isPoint)).map((point): Fault => ({ kind: 'kill', point }));
const isOfApply = (point: string): boolean => !point.startsWith('rollback');

/** Faults of a command for a list. */
export const listFaults = fc.oneof(killAt(isOfApply), otherFaults, outsideFault);

/** A command that changes something, and the points at which a kill can stop it. */
const changingBy = (line: fc.Arbitrary<string>, isPoint: (point: string) => boolean) => {
  return fc.record({
    line,
    fault: fc.oneof(
      { arbitrary: fc.constant(undefined), weight: 8 },
      { arbitrary: killAt(isPoint), weight: 5 },
      { arbitrary: otherFaults, weight: 3 },
      { arbitrary: outsideFault, weight: 2 },
    ),
    twice: fc.nat(9).map((die) => die === 9),
  });
};
const changing = fc
  .oneof(
    { arbitrary: changingBy(apply, isOfApply), weight: 3 },
    { arbitrary: changingBy(rollback, (point) => point.startsWith('rollback')), weight: 1 },
  )
  .map(({ line, fault, twice }) => ({
    line,
    ...(fault && { fault }),
    ...(twice && !fault && { twice }),
  }));
const quiet = fc
  .record({
    line: fc.oneof({ arbitrary: plan, weight: 3 }, { arbitrary: reading, weight: 3 }, moving),
    fault: fc.oneof({ arbitrary: fc.constant(undefined), weight: 8 }, apiFault),
  })
  .map(({ line, fault }) => ({ line, ...(fault && !line.startsWith('finish') && { fault }) }));

/** All runs of the tool in a walk. */
export const toolActions: fc.Arbitrary<ToolAction> = fc
  .oneof(changing, quiet)
  .map(({ line, ...rest }): ToolAction => {
    const whole = line.includes('--json') ? line : `${line} --json`;
    return { do: 'tool', line: whole.replace(/ +/g, ' ').trim(), ...rest };
  });
