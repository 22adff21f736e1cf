import { createHash } from 'node:crypto';
import {
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { journalPath, planCopyPath } from '../../src/apply/journal/journal';
import { type Plan, withDigest } from '../../src/plan/plan-schema';
import {
  type Applied,
  appliedFolder,
  OLD,
  oldText,
  resource,
  RULESET,
  rulesetText,
  stateText,
} from '../support/applied-folder';
import { errorOf } from '../support/cli-lab';
import { nextCommands } from '../support/next-commands';
import { temporaryFolder } from '../support/temporary-folder';

describe('a rollback of a plan whose next steps another process has applied', () => {
  it.each<[string, Applied['begun']]>([
    ['none of them was begun', []],
    ['the removal was not', ['import']],
    ['the import was not', ['remove']],
  ])('leaves everything as it is where %s, and says how to go on', async (_name, begun) => {
    const { rollback, types, declared } = appliedFolder({ ...(begun && { begun }) });
    await expect(rollback()).rejects.toMatchObject({
      code: 'STATE_CHANGED',
      message: expect.stringMatching(/^state main was changed after the backup: cloudflare_\w+\.a/),
      hint: expect.stringMatching(/^run `apply`.*, or plan again; .*--force/),
    });
    expect([types(), declared()]).toEqual([[RULESET], ['', rulesetText]]);
  });

  it('does not take the ruleset out of a state that the plan was to make', async () => {
    const { rollback, types } = appliedFolder({ lineage: '', begun: ['remove'] });
    await expect(rollback()).rejects.toMatchObject({ code: 'STATE_CHANGED' });
    expect(types()).toEqual([RULESET]);
  });
});

/** Adds the journal of another plan, which is not finished; the last one of the folder. */
function addRun(
  { plan, write }: Pick<ReturnType<typeof appliedFolder>, 'plan' | 'write'>,
  changes: Partial<Plan['states'][number]>,
): string {
  const { serial = 1, workspace } = changes;
  const backup = `main${workspace === undefined ? '' : `.${workspace}`}-${serial}.tfstate`;
  const text = JSON.stringify(plan).replaceAll('main-1.tfstate', backup);
  const other = JSON.parse(text) as Plan;
  return addPlan(write, { ...other, states: [{ ...other.states[0]!, ...changes }] });
}

const EDIT = { event: 'file', file: 'main.tf', sha256: null, sha256After: '', backup: null };

function addPlan(
  write: ReturnType<typeof appliedFolder>['write'],
  plan: Plan,
  event: object = EDIT,
): string {
  const made = withDigest(plan);
  const journal = journalPath(made.digest);
  const lines = [{ event: 'begin', digest: made.digest }, event];
  write(journal, lines.map((one) => `${JSON.stringify(one)}\n`).join(''));
  write(planCopyPath(journal), JSON.stringify(made));
  return journal;
}

it.each([
  ['to the same state', false, { serial: 9 }],
  ['to the same state', false, { because: 'planned again' }],
  ['to the same state', true, { serial: 9 }],
  [
    'in another workspace or backend of the same folder',
    true,
    { serial: 9, lineage: 'other', workspace: 'prod' },
  ],
])(
  'a rollback is refused while a later plan is applied %s (force: %s)',
  async (where, force, changes) => {
    const { rollback, plan, write, declared } = appliedFolder();
    addRun({ plan, write }, changes);
    const selected = where.includes('workspace') ? 'TF_WORKSPACE=prod ' : '';
    await expect(rollback({ force })).rejects.toMatchObject({
      code: 'STATE_CHANGED',
      message: `a later plan was applied ${where}`,
      hint: expect.stringContaining(
        `roll that plan back first:\n${selected}cf-waf-migrate rollback `,
      ),
    });
    expect(declared()).toEqual(['', rulesetText]);
  },
);

it('rolls back no finished run while the last rollback may have left steps to undo by hand', async () => {
  const left = {
    kind: 'manual',
    title: 'Take the old blocks out',
    addresses: [`${OLD}.b`],
  } as const;
  const world = appliedFolder({ steps: [left] });
  const [state] = world.plan.states;
  const before = { ...world.plan, states: [{ ...state!, because: 'planned before' }] };
  const finished = addPlan(world.write, before, { event: 'end' });
  utimesSync(world.at(finished), new Date(0), new Date(0));
  const rollback = (...args: string[]) => world.cli('rollback', ...args, '--yes');
  expect((await rollback(world.journal)).code).toBe(2);
  const again = errorOf(await rollback('--json'));
  expect([again.code, again.hint]).toEqual([
    'RUN_INTERRUPTED',
    expect.stringMatching(/rolled-back\.jsonl\ncf-waf-migrate rollback .*\.journal\.jsonl$/),
  ]);
});

it('refuses to choose between runs that are not finished, and says when all is rolled back', async () => {
  const world = appliedFolder();
  const earlier = addRun(world, { because: 'planned before' });
  const at = new Date(0);
  utimesSync(world.at(earlier), at, at);
  const rollback = (...args: string[]) => world.cli('rollback', ...args, '--yes');
  const expectInOrder = async (...journals: string[]) => {
    const { code, hint } = errorOf(await rollback('--json'));
    const commands = journals.map((journal) => `\ncf-waf-migrate rollback ${journal}`);
    expect([code, hint]).toEqual([
      'RUN_INTERRUPTED',
      expect.stringContaining(`:${commands.join('')}`),
    ]);
  };
  await expectInOrder(world.journal, earlier);
  const [state] = world.plan.states;
  const later = { ...world.plan, states: [{ ...state!, because: 'planned later' }] };
  const finished = addPlan(world.write, later, { event: 'end' });
  await expectInOrder(finished, world.journal, earlier);
  rmSync(world.at(finished));
  const { code, stdout } = await rollback(world.journal);
  expect([code, nextCommands(stdout)]).toEqual([0, ['cf-waf-migrate status']]);
  rmSync(world.at(earlier));
  const last = errorOf(await rollback('--json'));
  expect(last.message).toBe('the last run of `apply` in this folder is rolled back already');
  expect(last.hint).toMatch(/^nothing is left to undo; .*:\ncf-waf-migrate status$/);
  const archived = world.journal.replace('.journal.', '.rolled-back.');
  const repeated = await rollback(archived);
  expect([repeated.code, repeated.stdout]).toEqual([0, expect.stringMatching(/^Nothing to rest/)]);
});

describe('a later plan that changes only another state', () => {
  /** @param dir of the legacy blocks that the later plan removes */
  function inOtherFolder(lineage: string, another: string, dir: string) {
    const world = appliedFolder({ lineage });
    const { plan, write } = world;
    const text = JSON.stringify(plan)
      .replaceAll('"main"', '"other"')
      .replaceAll('main-1.tfstate', 'other-1.tfstate')
      .replaceAll('"main.tf"', `"${dir}main.tf"`)
      .replaceAll('"ruleset.tf"', '"b/ruleset.tf"')
      .replaceAll('["terraform",', '["terraform","-chdir=b",');
    const other = JSON.parse(text) as Plan;
    const idle = { ...plan.states[0]!, serial: 9 };
    addPlan(write, {
      ...other,
      states: [idle, { ...other.states[0]!, lineage: another, dir: 'b' }],
    });
    return world;
  }

  it.each([
    ['', 'l', 'm'],
    [' that did not exist either', '', ''],
  ])('%s does not keep an earlier one from being rolled back', async (_, lineage, another) => {
    const { rollback, declared } = inOtherFolder(lineage, another, 'b/');
    await rollback();
    expect(declared()).toEqual([oldText]);
  });

  it('has to be rolled back first if it edits a file that both states may share', async () => {
    const { rollback, declared } = inOtherFolder('l', 'm', 'modules/');
    await expect(rollback({ force: true })).rejects.toMatchObject({
      code: 'STATE_CHANGED',
      hint: expect.stringContaining('roll that plan back first'),
    });
    expect(declared()).toEqual(['', rulesetText]);
  });
});

it('a later plan that only checked does not keep an earlier one from being rolled back', async () => {
  const { plan, write, rollback, declared } = appliedFolder();
  const states = [{ ...plan.states[0]!, serial: 9 }];
  const steps = plan.steps.slice(-1).map((one) => ({ ...one, id: '1' }));
  addPlan(write, { ...plan, states, steps }, { event: 'start', step: '1' });
  await rollback();
  expect(declared()).toEqual([oldText]);
});

describe('a rollback of steps that were begun and not ended', () => {
  it('takes what Terraform wrote for its own', async () => {
    const { rollback, write, types } = appliedFolder({ begun: ['import'] });
    write('state.json', stateText(3, [resource(OLD), resource(RULESET)]));
    await rollback();
    expect(types()).toEqual([OLD]);
  });

  it('does so after a rollback, too: a Terraform that waited for the lock outlived the run that was killed', async () => {
    const { rollback, write, types } = appliedFolder({ begun: ['import'] });
    write('state.json', stateText(1, [resource(OLD)]));
    await rollback();
    write('state.json', stateText(2, [resource(OLD), resource(RULESET)]));
    await rollback();
    expect(types()).toEqual([OLD]);
  });
});

const before = stateText(1, [resource(OLD)]);
const saveTo = 'cf-waf-migrate-backup/main-1.tfstate';

/** A state after the steps, and the backup that was taken of it. */
const after = stateText(3, [resource(RULESET)]);
const late = {
  event: 'backup' as const,
  state: 'main',
  file: 'cf-waf-migrate-backup/late.tfstate',
  sha256: createHash('sha256').update(after).digest('hex'),
  lineage: 'l',
  serial: 3,
};

describe('a rollback of a plan whose steps another process has applied', () => {
  it.each([false, true])(
    'leaves everything as it is, since the state holds what the plan declares (force: %s)',
    async (force) => {
      const { rollback, types, declared } = appliedFolder({ lost: ['backup'] });
      await expect(rollback({ force })).rejects.toMatchObject({
        code: 'STATE_CHANGED',
        message: expect.stringMatching(
          `state main \\(serial 3, planned for 1\\) has ${RULESET}.a, and no longer has ${OLD}.a`,
        ),
        hint: expect.stringMatching(/run `apply` or plan again. .* No flag overrides this$/),
      });
      expect([types(), declared()]).toEqual([[RULESET], ['', rulesetText]]);
    },
  );

  it.each([
    ['holds', [resource(OLD), resource(RULESET)], `has ${RULESET}.a.`],
    ['lacks', [], `no longer has ${OLD}.a.`],
  ])('names what the state %s', async (_name, resources, told) => {
    const { rollback, write } = appliedFolder({ lost: ['backup'] });
    write('state.json', stateText(2, resources));
    await expect(rollback()).rejects.toMatchObject({ message: expect.stringContaining(told) });
  });

  it('leaves everything as it is where the backup was taken after that', async () => {
    const { rollback, write, declared, at } = appliedFolder({
      lost: ['backup'],
      events: [late],
    });
    write(late.file, after);
    rmSync(at(saveTo));
    await expect(rollback()).rejects.toMatchObject({
      message: expect.stringContaining(`has ${RULESET}.a, and no longer has ${OLD}.a. If you`),
    });
    expect(declared()).toEqual(['', rulesetText]);
    // what the hint says
    write('state.json', stateText(50, [resource(OLD)]));
    await rollback();
    expect(declared()).toEqual([oldText]);
  });

  it('puts the files back where the state is still as it was', async () => {
    const { rollback, write, declared } = appliedFolder({ lost: ['backup'] });
    write('state.json', before);
    expect(await rollback()).toEqual({ restored: ['main.tf'], deleted: ['ruleset.tf'] });
    expect(declared()).toEqual([oldText]);
  });
});

describe('a rollback by a journal that has lost its tail', () => {
  it('names the state and its backups, and never says to remove the ruleset', async () => {
    const { cli, journal } = appliedFolder({ lost: ['backup', 'file'] });
    const ran = await cli('rollback', journal, '--yes');
    expect([ran.code, ran.stdout]).toEqual([1, '']);
    expect(ran.stderr).toMatch(new RegExp(`has ${RULESET}.a.*STATE_CHANGED`));
    expect(ran.stderr).toMatch(/in cf-waf-migrate-backup .* run `terraform state push`/);
  });

  it('ends when the state was put back by hand', async () => {
    const { rollback, write, types, at } = appliedFolder({ lost: ['backup', 'file'] });
    write('main.tf', oldText);
    rmSync(at('ruleset.tf'));
    write('state.json', stateText(4, [resource(OLD)]));
    expect(await rollback()).toEqual({ restored: [] });
    expect(types()).toEqual([OLD]);
  });
});

it('a state that is pushed is read back before the declaration of the ruleset leaves', async () => {
  const { rollback, write, declared, types, at } = appliedFolder();
  write('deaf', '');
  await expect(rollback()).rejects.toMatchObject({
    code: 'STATE_CHANGED',
    message: expect.stringContaining('state main is not restored, though'),
    hint: expect.stringContaining('the rollback is incomplete'),
  });
  expect([types(), declared()]).toEqual([[RULESET], [oldText, rulesetText]]);
  rmSync(at('deaf'));
  await rollback();
  expect([types(), declared()]).toEqual([[OLD], [oldText]]);
});

it('a rollback whose backup is a folder by now says that the backup is not good, and touches nothing', async () => {
  const { rollback, at, types, declared } = appliedFolder();
  rmSync(at(saveTo));
  mkdirSync(at(saveTo));
  await expect(rollback()).rejects.toMatchObject({
    code: 'BACKUP_INVALID',
    message: expect.stringMatching(/^cannot read the backup .*main-1.tfstate$/),
  });
  expect([types(), declared()]).toEqual([[RULESET], ['', rulesetText]]);
});

const data = (answer: string) => ({ ...resource('cloudflare_zones', { answer }), mode: 'data' });
/** A zone `a`, what Terraform keeps beside its attributes, and these. */
const entry = (more: object, attributes: object) => ({
  ...resource('cloudflare_zone'),
  instances: [{ schema_version: 0, ...more, attributes: { id: 'a', ...attributes } }],
});
const zone = (plan: string) => resource('cloudflare_zone', { plan });

describe('what apply itself has written', () => {
  const free = entry({}, { plan: 'free', rule: [{ a: 'a', b: 'b' }] });
  const written = entry({ dependencies: ['x.a'] }, { tags: { a: '1' } });
  const anew = { schema_version: 0, private: 'bnVsbA==', sensitive_attributes: [] };
  const priced = entry({}, { plan: { type: 'free', price: 0 } });
  const outputs = { waf: { value: 'on', type: 'string' } };
  const ofOpenTofu = { provider: 'provider["registry.opentofu.org/cloudflare/cloudflare"]' };
  const drifted = { event: 'drifted', state: 'main', addresses: ['cloudflare_zone.a'] } as const;

  it.each<[string, object, object, Applied?, object?]>([
    ['another schema version', free, entry({ schema_version: 500 }, { plan: { id: 'free' } })],
    ['empty as absent', free, entry({}, { plan: 'free', names: [], note: '', tags: { a: null } })],
    ['inner attributes that one lacks', free, entry({}, { plan: 'free', rule: [{ b: 'b' }] })],
    [
      'an attribute that the provider of today knows, which an import writes',
      priced,
      entry({ sensitive_attributes: [] }, { plan: { price: 0, type: 'free' }, tags: null }),
    ],
    ['the provider host of OpenTofu', zone('free'), { ...zone('free'), ...ofOpenTofu }],
    ['outputs and answers of data sources', data('before'), data('now'), {}, { outputs }],
    ['what a saved plan refreshed', zone('free'), zone('pro'), { events: [drifted] }],
    [
      'an entry that Terraform wrote anew when it applied the blocks',
      written,
      entry(anew, { tags: { a: '1', b: null }, comment: null, paused: false }),
      { steps: [{ kind: 'apply-blocks' }] },
    ],
    [
      'another form of a later provider',
      entry({ schema_version: 0 }, { plan: 'free' }),
      entry({ schema_version: 1 }, { plan: { id: 'free' } }),
      { steps: [{ kind: 'upgrade-provider' }] },
    ],
  ])(
    'counts as written by apply, and is kept in a copy: %s',
    async (_, before, now, more = {}, head = {}) => {
      const { rollback, write, types, at } = appliedFolder({ others: [before], ...more });
      const text = stateText(3, [resource(RULESET), now], head);
      write('state.json', text);
      const { saved = [] } = await rollback();
      expect(types()).toEqual([OLD, (before as { type: string }).type]);
      expect(saved.map(({ of, file }) => [of, readFileSync(at(file), 'utf8')])).toEqual([
        ['state main', text],
      ]);
      // what was put back needs no copy
      expect((await rollback()).saved).toBeUndefined();
    },
  );

  it.each([
    ['another value', entry({}, { plan: 'pro' })],
    ['another value within one', entry({}, { plan: 'free', tags: { a: '2' } })],
    ['one item more', entry({}, { plan: 'free', names: ['a', 'b'] })],
    ['another resource', entry({}, { plan: 'free', id: 'b' })],
    ['a taint', entry({ status: 'tainted' }, { plan: 'free' })],
    ['another provider', { ...entry({}, { plan: 'free' }), provider: 'provider["x"]' }],
  ])('is told from %s that another process has written', async (_name, now) => {
    const before = entry({}, { plan: 'free', tags: { a: '1' }, names: ['a'] });
    const { rollback, write } = appliedFolder({
      others: [before],
      steps: [{ kind: 'apply-blocks' }],
    });
    write('state.json', stateText(3, [resource(RULESET), now]));
    await expect(rollback()).rejects.toMatchObject({ code: 'STATE_CHANGED' });
  });
});

describe('a forced rollback', () => {
  it('keeps copies of what it overwrites, for their owner alone, and names them', async () => {
    const { cli, journal, write, at } = appliedFolder();
    const theirs = stateText(9, [resource(RULESET), zone('pro')]);
    write('state.json', theirs);
    write('main.tf', `# mine\n`);
    write('ruleset.tf', `# mine, too\n`);
    const asked = await cli('rollback', journal, '--force');
    // what another process added leaves the state too
    expect(asked.stderr).toMatch(
      /^Addresses to remove from state:\n {2}cloudflare_ruleset\.a\n {2}cloudflare_zone\.a$/m,
    );
    const ran = await cli('rollback', journal, '--yes', '--force', '--json');
    const { saved } = JSON.parse(ran.stdout) as { saved: { of: string; file: string }[] };
    expect([ran.code, saved.map(({ of }) => of)]).toEqual([
      0,
      ['ruleset.tf', 'main.tf', 'state main'],
    ]);
    const copies = saved.map(({ file }) => readFileSync(at(file), 'utf8'));
    expect(copies).toEqual(['# mine, too\n', '# mine\n', theirs]);
    expect(saved.map(({ file }) => statSync(at(file)).mode & 0o777)).toEqual([0o600, 0o600, 0o600]);
    expect(readFileSync(at('main.tf'), 'utf8')).toBe(oldText);
  });

  it('keeps a copy byte for byte, also of what is no UTF-8', async () => {
    const { rollback, at } = appliedFolder();
    const theirs = Buffer.from('# Stra\xdfe\n', 'latin1');
    writeFileSync(at('main.tf'), theirs);
    const { saved = [] } = await rollback({ force: true });
    const copy = saved.find(({ of }) => of === 'main.tf');
    expect(readFileSync(at(copy!.file))).toEqual(theirs);
  });

  it('writes through no link to another kind of file, and names a link before it writes through it', async () => {
    const { cli, journal, at } = appliedFolder();
    const outside = temporaryFolder({ profile: 'mine\n', 'shared.tf': '# shared\n' });
    const linkTo = (target: string): void => {
      rmSync(at('main.tf'));
      symlinkSync(join(outside, target), at('main.tf'));
    };
    linkTo('profile');
    for (const flags of [[], ['--force']]) {
      const ran = await cli('rollback', journal, '--yes', ...flags);
      expect([ran.code, ran.stderr]).toEqual([
        ...[1, expect.stringMatching(/main\.tf, which is a link to .*profile \(PLAN_INVALID\)/)],
      ]);
    }
    linkTo('shared.tf');
    const { code, stderr } = await cli('rollback', journal, '--yes');
    expect([code, stderr]).toEqual([
      ...[1, expect.stringMatching(/main\.tf changed .*, and is a link to .*shared\.tf now/)],
    ]);
    expect(readFileSync(join(outside, 'profile'), 'utf8')).toBe('mine\n');
    expect(readFileSync(join(outside, 'shared.tf'), 'utf8')).toBe('# shared\n');
  });

  it('does not go over another state', async () => {
    const { rollback, write, types } = appliedFolder();
    write('state.json', stateText(9, [resource(RULESET)], { lineage: 'other' }));
    await expect(rollback({ force: true })).rejects.toMatchObject({ code: 'STATE_CHANGED' });
    expect(types()).toEqual([RULESET]);
  });
});
