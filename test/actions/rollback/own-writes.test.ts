import { readFileSync, statSync } from 'node:fs';
import {
  appliedFolder,
  OLD,
  oldText,
  resource,
  RULESET,
  stateText,
} from '../../support/applied-folder';

const data = (answer: string) => ({ ...resource('cloudflare_zones', { answer }), mode: 'data' });
const zone = (plan: string) => resource('cloudflare_zone', { plan });

describe('what apply itself has written', () => {
  it('is nobody else’s: outputs and answers of data sources that an import writes', async () => {
    const { rollback, write, types } = appliedFolder({ others: [data('before')] });
    const outputs = { waf: { value: 'on', type: 'string' } };
    write('state.json', stateText(3, [resource(RULESET), data('now')], { outputs }));
    await rollback();
    expect(types()).toEqual([OLD, 'cloudflare_zones']);
  });

  it('is nobody else’s: an entry that a saved plan wrote as the service has it by now', async () => {
    const { rollback, write, types } = appliedFolder({
      others: [zone('free')],
      events: [{ event: 'drifted', state: 'main', addresses: ['cloudflare_zone.a'] }],
    });
    write('state.json', stateText(3, [resource(RULESET), zone('pro')]));
    await rollback();
    expect(types()).toEqual([OLD, 'cloudflare_zone']);
  });

  it('is told from what somebody else has written', async () => {
    const { rollback, write } = appliedFolder({ others: [zone('free')] });
    write('state.json', stateText(3, [resource(RULESET), zone('pro')]));
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

  it('does not go over another state', async () => {
    const { rollback, write, types } = appliedFolder();
    write('state.json', stateText(9, [resource(RULESET)], { lineage: 'other' }));
    await expect(rollback({ force: true })).rejects.toMatchObject({ code: 'STATE_CHANGED' });
    expect(types()).toEqual([RULESET]);
  });
});
