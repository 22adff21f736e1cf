import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Plan } from '../../src/plan/plan';
import { applyPlan } from '../../src/apply/apply-plan';
import { journalPath } from '../../src/apply/journal/journal';
import { fakeTerraform } from '../support/fake-terraform';
import { address, removalPlan } from '../support/removal-plan';
import { resource, stateText } from '../support/applied-folder';
import { temporaryFolder } from '../support/temporary-folder';

const plan = removalPlan('c'.repeat(64), { gone: [address] });
const [type = ''] = address.split('.');

/** Carries the plan out with a Terraform whose `state rm` does this. */
function applyWith(removal: string) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'state.json'), stateText(1, [resource(type)]));
  writeFileSync(join(folder, 'removed.json'), stateText(2, []));
  const body = `case "$2" in pull) cat state.json ;; rm) ${removal} ;; esac`;
  const fake = fakeTerraform(temporaryFolder(), body);
  const terraform = { binary: fake.path, environment: { PATH: process.env['PATH'] } };
  const done = applyPlan({ plan, folder, terraform, report: () => undefined });
  return { done, calls: () => fake.calls().map(([, word]) => word) };
}

it('what was removed is looked for in the state before the step is done', async () => {
  const { done, calls } = applyWith('cp removed.json state.json');
  expect((await done).steps.at(-1)).toMatchObject({ status: 'done' });
  expect(calls().slice(0, 3)).toEqual(['pull', 'rm', 'pull']);
});

it('a removal of which Terraform only says that it was done ends the run', async () => {
  const { done } = applyWith('exit 0');
  await expect(done).rejects.toMatchObject({
    code: 'STATE_CHANGED',
    message: expect.stringContaining(`still holds ${address}, though Terraform says`),
  });
});

describe('a removal of so many addresses that it takes several commands', () => {
  const [first, second] = ['a', 'b'].map((name) => `${type}.${name}`) as [string, string];
  const runs = (...flags: string[]) =>
    [first, second].map((one) => ({ argv: ['terraform', 'state', 'rm', ...flags, one] }));
  const base = removalPlan('f'.repeat(64));
  const step = { state: 'main', title: '', why: '', addresses: [first, second] };
  const several: Plan = {
    ...base,
    steps: [
      ...base.steps.slice(0, 1),
      { ...step, id: '2', kind: 'remove-dry-run', runs: runs('-dry-run') },
      { ...step, id: '3', kind: 'remove', runs: runs(), expects: { gone: [first, second] } },
    ],
  };

  /** Carries it out, with a Terraform that removes the second address only when `works` is there. */
  function setUp() {
    const folder = temporaryFolder();
    const write = (name: string, text: string): void => {
      writeFileSync(join(folder, name), text);
    };
    const rest = { ...resource(type), name: 'b' };
    write('state.json', stateText(1, [resource(type), rest]));
    write('first.json', stateText(2, [rest]));
    write('second.json', stateText(3, []));
    const body = `case "$2 $*" in
      pull*) cat state.json ;;
      *${first}) cp first.json state.json ;;
      *${second}) [ -e works ] && cp second.json state.json ;;
    esac`;
    const binary = fakeTerraform(temporaryFolder(), body).path;
    const terraform = { binary, environment: { PATH: process.env['PATH'] } };
    const apply = () => applyPlan({ plan: several, folder, terraform, report: () => undefined });
    const journal = join(folder, journalPath(several.digest));
    return { write, apply, journal };
  }

  it('goes on where it ended between two of them', async () => {
    const { apply, write } = setUp();
    await expect(apply()).rejects.toMatchObject({ code: 'TERRAFORM_FAILED' });
    write('works', '');
    const { steps } = await apply();
    expect(steps.map(({ status }) => status)).toEqual(['found', 'found', 'done']);
  });

  it('is rehearsed again after a rollback', async () => {
    const { apply, write, journal } = setUp();
    await expect(apply()).rejects.toMatchObject({ code: 'TERRAFORM_FAILED' });
    write('works', '');
    write('state.json', stateText(3, [resource(type), { ...resource(type), name: 'b' }]));
    appendFileSync(journal, '{"event":"rolled-back"}\n');
    const { steps } = await apply();
    expect(steps.map(({ status }) => status)).toEqual(['found', 'done', 'done']);
  });

  it('is not begun where somebody else has removed a part of it', async () => {
    const { apply, write } = setUp();
    write('state.json', stateText(1, [resource(type)]));
    await expect(apply()).rejects.toMatchObject({
      code: 'STATE_CHANGED',
      message: `${second} is not in the state`,
    });
  });
});
