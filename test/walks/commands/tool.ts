import fc from 'fast-check';
import { faultPoints } from '../../../src/apply/fault-points';
import { type Fault } from '../layer';

/** A fault outside the tool: the API fails, the state is locked, or a push is refused. */
export type OutsideFault =
  | { kind: 'api'; fault: object }
  | { kind: 'locked' }
  | { kind: 'lock-lost'; after: number }
  | { kind: 'push-refused' };

/**
 * A run of the tool. Arguments may be placeholders: `$zone0`, `$name0` and `$dirOf0` of a zone, `$dirs` of all folders,
 * `$journal` of the latest run, `$accept` for each decision of the plan.
 */
export interface ToolAction {
  do: 'tool';
  args: string[];
  fault?: Fault | OutsideFault;
  /** Whether to start the command twice at the same time. */
  twice?: boolean;
}

const common = '--json';
const zone = fc.nat(2).map((at) => `$zone${at}`);
const optional = (...words: string[]) => fc.constantFrom<string[]>([], words);
const accept = fc.oneof(
  { arbitrary: fc.constant(['$accept']), weight: 4 },
  fc.constant<string[]>([]),
);

const plan = fc
  .record({
    zones: fc.oneof(
      zone.map((one) => [`--zone`, one]),
      fc.constant(['$zones']),
    ),
    method: fc.oneof(
      { arbitrary: fc.constant<string[]>([]), weight: 4 },
      fc.constantFrom(
        ['--method', 'blocks'],
        ['--method', 'commands'],
        ['--method', 'blocks', '--write'],
      ),
    ),
    lock: fc.constantFrom<string[]>([], ['--', '-lock-timeout=0s']),
    to: fc.oneof(
      { arbitrary: fc.constant<string[]>([]), weight: 5 },
      fc.constantFrom(['--to', '4.52.8'], ['--to', '5.22.0']),
    ),
  })
  .map(({ zones, method, to, lock }) => [
    'plan',
    ...zones,
    '$dirs',
    ...method,
    ...to,
    '--format',
    'json',
    '--out',
    'plan.json',
    '--force',
    common,
    ...lock,
  ]);

const apply = fc
  .tuple(
    accept,
    fc.oneof({ arbitrary: fc.constant<string[]>([]), weight: 9 }, fc.constant(['--only', 'edits'])),
  )
  .map(([accepted, only]) => ['apply', 'plan.json', '--yes', ...accepted, ...only]);
const rollback = fc
  .oneof({ arbitrary: fc.constant<string[]>([]), weight: 5 }, fc.constant(['--force']))
  .map((force) => ['rollback', '$journal', '--yes', ...force]);
const cheap = fc.oneof<fc.Arbitrary<string[]>[]>(
  fc.constant(['rehearse', 'plan.json']),
  fc.constant(['verify', 'plan.json']),
  zone.map((one) => ['status', '--zone', one]),
  fc.constant(['status', '$dirs']),
  zone.map((one) => ['fetch-config', '--zone', one]),
  fc
    .tuple(fc.constantFrom('rules', 'filters', 'overrides'), zone)
    .map(([what, one]) => ['firewall', what, 'list', '--zone', one]),
  fc.constant(['catalogue', 'lookup', '100000']),
  fc.constant(['fleet', 'status']),
  fc.nat(2).map((at) => ['report', '--zone', `$zone${at}`, '--dir', `$dirOf${at}`]),
  fc
    .tuple(zone, optional('--phase', '1'))
    .map(([one, phase]) => ['check', '--zone', one, ...phase]),
);
// rare, because it loads DuckDB
const review = zone.map((one) => ['review', '--zone', one, '--since', '1h']);
const reading = fc.oneof({ arbitrary: cheap, weight: 40 }, { arbitrary: review, weight: 1 });
const moving: fc.Arbitrary<string[]> = fc
  .record({
    at: fc.nat(2),
    confirm: fc.constantFrom('right', 'wrong', 'none'),
    what: fc.constantFrom('start-validation', 'finish', 'generate'),
    yes: optional('--yes'),
  })
  .map(({ at, confirm, what, yes }) => {
    if (what === 'start-validation') return [what, '--zone', `$zone${at}`, ...yes];
    if (what === 'generate')
      return [what, '--zone', `$zone${at}`, '--source', 'live', '--out', `$dirOf${at}`, '--force'];
    const name = confirm === 'right' ? `$name${at}` : 'another.example.com';
    const confirmed = confirm === 'none' ? [] : ['--confirm', name];
    return [what, '--zone', `$zone${at}`, ...confirmed, '--wait', '2'];
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
    .map(({ at, when }): Fault => ({
      kind: 'terraform-killed',
      at,
      when,
    })),
  fc.nat(40).map((pages): Fault => ({ kind: 'disk-full', kib: 4 * pages })),
);
const outsideFault = fc.oneof(
  apiFault,
  fc.nat(5).map((after): OutsideFault => ({ kind: 'lock-lost', after })),
  fc.constantFrom<OutsideFault>({ kind: 'locked' }, { kind: 'push-refused' }),
);

/** A command that changes something, and the points at which a kill can stop it. */
const changingBy = (args: fc.Arbitrary<string[]>, isPoint: (point: string) => boolean) =>
  fc.record({
    args,
    fault: fc.oneof(
      { arbitrary: fc.constant(undefined), weight: 8 },
      {
        arbitrary: fc
          .constantFrom(...faultPoints.filter(isPoint))
          .map((point): Fault => ({ kind: 'kill', point })),
        weight: 5,
      },
      { arbitrary: otherFaults, weight: 3 },
      { arbitrary: outsideFault, weight: 2 },
    ),
    twice: fc.nat(9).map((die) => die === 9),
  });
const changing = fc
  .oneof(
    { arbitrary: changingBy(apply, (point) => !point.startsWith('rollback')), weight: 3 },
    { arbitrary: changingBy(rollback, (point) => point.startsWith('rollback')), weight: 1 },
  )
  .map(({ args, fault, twice }) => ({
    args,
    ...(fault && { fault }),
    ...(twice && !fault && { twice }),
  }));
const quiet = fc
  .record({
    args: fc.oneof({ arbitrary: plan, weight: 3 }, { arbitrary: reading, weight: 3 }, moving),
    fault: fc.oneof({ arbitrary: fc.constant(undefined), weight: 8 }, apiFault),
  })
  .map(({ args, fault }) => ({ args, ...(fault && args[0] !== 'finish' && { fault }) }));

/** All runs of the tool in a walk. */
export const toolActions: fc.Arbitrary<ToolAction> = fc
  .oneof(changing, quiet)
  .map(({ args, ...rest }): ToolAction => ({
    do: 'tool',
    args: args.includes(common) ? args : [...args, common],
    ...rest,
  }));
