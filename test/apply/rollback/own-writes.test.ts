import { readFileSync, statSync, writeFileSync } from 'node:fs';
import {
  appliedFolder,
  OLD,
  oldText,
  resource,
  RULESET,
  stateText,
} from '../../support/applied-folder';

const data = (answer: string) => ({ ...resource('cloudflare_zones', { answer }), mode: 'data' });
/** A zone `a`, what Terraform keeps beside its attributes, and these. */
const entry = (more: object, attributes: object) => ({
  ...resource('cloudflare_zone'),
  instances: [{ schema_version: 0, ...more, attributes: { id: 'a', ...attributes } }],
});
const zone = (plan: string) => resource('cloudflare_zone', { plan });

describe('what apply itself has written', () => {
  it.each([
    ['another schema version', { schema_version: 500 }, { plan: { id: 'free' } }],
    ['empty values that are absent', {}, { plan: 'free', names: [], note: '', tags: { a: null } }],
    ['attributes within others that one version lacks', {}, { plan: 'free', rule: [{ b: 'b' }] }],
  ])('is nobody else’s: an entry with %s', async (_name, more, attributes) => {
    const others = [entry({}, { plan: 'free', rule: [{ a: 'a', b: 'b' }] })];
    const { rollback, write, types } = appliedFolder({ others });
    write('state.json', stateText(3, [resource(RULESET), entry(more, attributes)]));
    await rollback();
    expect(types()).toEqual([OLD, 'cloudflare_zone']);
  });

  it('is nobody else’s: the provider host of OpenTofu, which it writes into every entry', async () => {
    const { rollback, write, types } = appliedFolder({ others: [zone('free')] });
    const provider = 'provider["registry.opentofu.org/cloudflare/cloudflare"]';
    write('state.json', stateText(3, [resource(RULESET), { ...zone('free'), provider }]));
    await rollback();
    expect(types()).toEqual([OLD, 'cloudflare_zone']);
  });

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

  it('is nobody else’s: an entry that Terraform wrote anew when it applied the blocks', async () => {
    const { rollback, write, types } = appliedFolder({
      others: [entry({ dependencies: ['x.a'] }, { tags: { a: '1' } })],
      steps: [{ kind: 'apply-blocks' }],
    });
    const anew = { schema_version: 0, private: 'bnVsbA==', sensitive_attributes: [] };
    const now = entry(anew, { tags: { a: '1', b: null }, comment: null, paused: false });
    write('state.json', stateText(3, [resource(RULESET), now]));
    await rollback();
    expect(types()).toEqual([OLD, 'cloudflare_zone']);
  });

  it('is nobody else’s: an attribute that the provider of today knows, which an import writes into every entry', async () => {
    const { rollback, write, types } = appliedFolder({
      others: [entry({}, { plan: { type: 'free', price: 0 } })],
    });
    const now = entry(
      { sensitive_attributes: [] },
      { plan: { price: 0, type: 'free' }, tags: null },
    );
    write('state.json', stateText(3, [resource(RULESET), now]));
    await rollback();
    expect(types()).toEqual([OLD, 'cloudflare_zone']);
  });

  describe('where a later provider wrote an entry in another form', () => {
    const written = () => {
      const others = [entry({ schema_version: 0 }, { plan: 'free' })];
      const folder = appliedFolder({
        others,
        steps: [{ kind: 'upgrade-provider' }],
      });
      const now = entry({ schema_version: 1 }, { plan: { id: 'free' } });
      const text = stateText(3, [resource(RULESET), now]);
      folder.write('state.json', text);
      return { ...folder, text };
    };

    it('is nobody else’s', async () => {
      const { rollback, types } = written();
      await rollback();
      expect(types()).toEqual([OLD, 'cloudflare_zone']);
    });

    it('is kept in a copy before it is overwritten', async () => {
      const { rollback, at, text } = written();
      const { saved = [] } = await rollback();
      expect(saved.map(({ of, file }) => [of, readFileSync(at(file), 'utf8')])).toEqual([
        ['state main', text],
      ]);
    });

    it('is not kept where it was put back before, and needs no copy', async () => {
      const { rollback } = written();
      await rollback();
      expect((await rollback()).saved).toBeUndefined();
    });
  });

  it.each([
    ['another value', entry({}, { plan: 'pro' })],
    ['another value within one', entry({}, { plan: 'free', tags: { a: '2' } })],
    ['one item more', entry({}, { plan: 'free', names: ['a', 'b'] })],
    ['another resource', entry({}, { plan: 'free', id: 'b' })],
    ['a taint', entry({ status: 'tainted' }, { plan: 'free' })],
    ['another provider', { ...entry({}, { plan: 'free' }), provider: 'provider["x"]' }],
  ])('is told from %s that was written after the blocks were applied', async (_name, now) => {
    const before = entry({}, { plan: 'free', tags: { a: '1' }, names: ['a'] });
    const { rollback, write } = appliedFolder({
      others: [before],
      steps: [{ kind: 'apply-blocks' }],
    });
    write('state.json', stateText(3, [resource(RULESET), now]));
    await expect(rollback()).rejects.toMatchObject({ code: 'STATE_CHANGED' });
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

  it('keeps a copy beside that of another state of its name', async () => {
    const { rollback, write, at } = appliedFolder();
    const other = 'cf-waf-migrate-backup/main-9.overwritten.tfstate';
    write(other, 'of another folder');
    const theirs = stateText(9, [resource(RULESET), zone('pro')]);
    write('state.json', theirs);
    const { saved = [] } = await rollback({ force: true });
    expect(saved.map(({ file }) => readFileSync(at(file), 'utf8'))).toEqual([theirs]);
    expect(readFileSync(at(other), 'utf8')).toBe('of another folder');
  });

  it('keeps a copy byte for byte, also of what is no UTF-8', async () => {
    const { rollback, at } = appliedFolder();
    const theirs = Buffer.from('# Stra\xdfe\n', 'latin1');
    writeFileSync(at('main.tf'), theirs);
    const { saved = [] } = await rollback({ force: true });
    const copy = saved.find(({ of }) => of === 'main.tf');
    expect(readFileSync(at(copy!.file))).toEqual(theirs);
  });

  it('does not go over another state', async () => {
    const { rollback, write, types } = appliedFolder();
    write('state.json', stateText(9, [resource(RULESET)], { lineage: 'other' }));
    await expect(rollback({ force: true })).rejects.toMatchObject({ code: 'STATE_CHANGED' });
    expect(types()).toEqual([RULESET]);
  });
});
