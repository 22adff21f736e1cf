import { rmSync } from 'node:fs';
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
    expect((await back()).restored).toEqual(['ruleset.tf', 'main.tf', 'state main']);
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
});
