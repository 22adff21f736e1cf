import { LegacyRequests } from '../../src/translate/compare/legacy-requests';
import { type Verdict, type Want } from '../../src/translate/reading/setting';
import { MANAGED_RULESET, OWASP_RULESET, SCORING } from './support/old-zone';

const setting = { kind: 'zone', from: 'here', attribute: 'waf', subject: '', value: '' } as const;
const read = (...verdicts: Verdict[]) =>
  new LegacyRequests(verdicts.map((verdict) => ({ setting, verdict })));
const wanting = (...wants: Want[]) => read({ kind: 'wanted', wants });
const targets = {
  managed: { ruleset: MANAGED_RULESET },
  'its rule': { ruleset: MANAGED_RULESET, rule: 'r1' },
  'another rule': { ruleset: MANAGED_RULESET, rule: 'r2' },
  OWASP: { ruleset: OWASP_RULESET },
  'the score': { ruleset: OWASP_RULESET, rule: SCORING },
};
const exempt = (old: LegacyRequests) =>
  Object.entries(targets).flatMap(([name, target]) =>
    [...old.exempt(target)].map(([, expression]) => `${name}: ${expression}`),
  );

describe('the requests that the previous WAF saw', () => {
  it('are all, unless page rules switched it on for some', () => {
    expect(wanting().seen).toEqual(['true']);
    expect(wanting({ kind: 'runs', expression: 'a', also: 'b' }).seen).toEqual(['a', 'b']);
  });
});

describe('the requests that old settings except', () => {
  it.each<[string, Want & { kind: 'skip' }]>([
    ['managed, its rule, another rule, OWASP, the score', of('all')],
    ['its rule', of({ id: 'r1' })],
  ])('are from %s', (names, skip) => {
    expect(exempt(wanting(skip))).toEqual(names.split(', ').map((name) => `${name}: a`));
  });

  it.each<[string, Verdict]>([
    ['without effect', { kind: 'inert', why: '', exception: 'a' }],
    ['that cannot be expressed', { kind: 'unknown', why: '', remedy: '', exception: 'a' }],
  ])('are what somebody else may have made of a setting %s', (_, verdict) => {
    expect(exempt(read(verdict))).toEqual(exempt(wanting(of('all'))));
  });

  it('are none where no setting asks for an exception', () => {
    expect(exempt(read({ kind: 'inert', why: '' }))).toEqual([]);
  });

  it('are known in each way to write them', () => {
    const old = wanting({ ...of('all'), also: 'b' });
    expect([...old.exempt(targets.managed).values()]).toEqual(['a', 'b']);
  });
});

describe('the requests of URI-based overrides', () => {
  const rule = (id: string, within: string): Want => ({
    kind: 'rule-default',
    id,
    within,
  });

  it.each<[keyof typeof targets, string[]]>([
    ['its rule', ['a', 'b']],
    ['another rule', []],
    ['managed', []],
    ['the score', []],
  ])('that say something of %s', (name, expressions) => {
    const old = wanting(rule('r1', 'a'), { kind: 'rule-off', id: 'r2' }, rule('r1', 'b'));
    expect(old.overridden(targets[name])).toEqual(expressions);
  });
});

function of(rules: (Want & { kind: 'skip' })['rules']): Want & { kind: 'skip' } {
  return { kind: 'skip', rules, expression: 'a' };
}
