import { readFileSync, rmSync } from 'node:fs';
import {
  appliedFolder,
  OLD,
  oldText,
  resource,
  RULESET,
  rulesetText,
  stateText,
} from '../../support/applied-folder';

describe('a rollback that ends in the middle', () => {
  it('whatever the state holds is declared at each of its moments', async () => {
    const { rollback: back, types, declared } = appliedFolder();
    const bare: string[] = [];
    const fault = (point: string): void => {
      const text = declared().join('');
      if (point.startsWith('rollback-') && point !== 'rollback-before')
        bare.push(...types().filter((type) => !text.includes(type)));
    };
    await back({ fault });
    expect([bare, types(), declared()]).toEqual([[], [OLD], [oldText]]);
  });

  it('where the state cannot be pushed: the ruleset stays declared, nothing is to be applied, and the next run ends it', async () => {
    const { rollback: back, write, types, declared, at } = appliedFolder();
    write('locked', '');
    await expect(back()).rejects.toMatchObject({
      code: 'TERRAFORM_FAILED',
      hint: expect.stringMatching(/let Terraform apply nothing, and run the same rollback again/),
    });
    expect([types(), declared()]).toEqual([[RULESET], [oldText, rulesetText]]);
    rmSync(at('locked'));
    // the old blocks are back since the first one
    expect((await back()).restored).toEqual(['ruleset.tf', 'state main']);
    expect([types(), declared()]).toEqual([[OLD], [oldText]]);
  });
});

describe('a state that the plan has made, of which there is no backup', () => {
  it('lets the ruleset go before its file does', async () => {
    const { rollback: back, types, declared } = appliedFolder({ lineage: '' });
    expect((await back()).restored).toContain('state main');
    expect([types(), declared()]).toEqual([[], [oldText]]);
  });

  it('keeps what somebody else has put into it', async () => {
    const { rollback: back, write, types } = appliedFolder({ lineage: '' });
    write(
      'state.json',
      stateText(
        4,
        [RULESET, 'cloudflare_zone'].map((type) => resource(type)),
      ),
    );
    await back();
    expect(types()).toEqual(['cloudflare_zone']);
  });

  it('keeps every digit of a number that somebody else has put into it', async () => {
    const { rollback: back, write, types, at } = appliedFolder({ lineage: '' });
    const long = '12345678901234567890';
    const others = [resource(RULESET), resource('other_thing', { number: 0 })];
    write('state.json', stateText(4, others).replace('"number":0', `"number":${long}`));
    await back();
    expect(types()).toEqual(['other_thing']);
    expect(readFileSync(at('state.json'), 'utf8')).toContain(long);
  });
});

describe('the push of a state', () => {
  const pushed = async (...runs: string[][]): Promise<string[] | undefined> => {
    const steps = [{ runs: runs.map((argv) => ({ argv: ['terraform', ...argv] })) }];
    const { rollback: back, calls } = appliedFolder({ steps });
    await back();
    return calls()
      .find(([, word]) => word === 'push')
      ?.slice(2, -1);
  };

  it('reaches the backend with the flags of the plan, and with no other one', async () => {
    const flags = await pushed(
      ['init', '-lockfile=readonly', '-ignore-remote-version'],
      ['plan', '-var-file=prod.tfvars', '-lock-timeout=5s'],
    );
    expect(flags).toEqual(['-ignore-remote-version', '-lock-timeout=5s']);
  });

  it('waits for a lock where the plan does not say for how long', async () => {
    expect(await pushed(['plan', '-input=false'])).toEqual(['-lock-timeout=60s']);
  });
});
