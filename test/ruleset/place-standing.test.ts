import {
  config,
  CREDENTIALS,
  deploy,
  MANAGED,
  merged,
  OWASP,
  skip,
  standing,
} from '../generate/support/merge';

const credentials = deploy(CREDENTIALS, {}, { ref: 'credentials' });
const managed = deploy(MANAGED, {}, { ref: 'managed' });
const owasp = deploy(OWASP, {}, { ref: 'owasp' });
const address = 'ip.src eq 192.0.2.1';
const office = skip(address, { ref: 'office' });

describe('the order of an entry point', () => {
  const refs = (stands: object[], proposed: object[]) => {
    const { ruleset, codes } = merged(standing(...stands), config(...proposed));
    return [ruleset.rules.map(({ ref }) => ref), codes];
  };

  test('is that of the configuration, for what stands and for what is new', () => {
    const proposed = [deploy(MANAGED), skip(address), deploy(OWASP)];
    expect(refs([managed], proposed)).toEqual([
      ['managed', expect.stringMatching(/^skip_/), `execute_${OWASP}`],
      [],
    ]);
  });

  test('in which an exception holds for other rules than today is told, not that of deployments', () => {
    const proposed = [deploy(MANAGED), skip(address), deploy(OWASP)];
    expect(refs([office, managed, owasp], proposed)).toEqual([
      ['managed', 'office', 'owasp'],
      ['STANDING_RULE_DIFFERS'],
    ]);
    expect(refs([managed, office], [skip(address), deploy(MANAGED)])).toEqual([
      ['office', 'managed'],
      ['STANDING_RULE_DIFFERS'],
    ]);
    expect(refs([owasp, managed], [deploy(MANAGED), deploy(OWASP)])).toEqual([
      ['managed', 'owasp'],
      [],
    ]);
  });

  test('keeps an exception that is not proposed behind what it was behind, and behind what is new', () => {
    const kept = ['STANDING_RULE_KEPT'];
    const stands = [credentials, managed, office, owasp];
    expect(refs(stands, [deploy(OWASP), deploy(MANAGED)])).toEqual([
      ['credentials', 'owasp', 'managed', 'office'],
      [...kept, ...kept, 'STANDING_RULE_DIFFERS'],
    ]);
    expect(refs([office], [deploy(MANAGED)])).toEqual([[`execute_${MANAGED}`, 'office'], kept]);
    expect(refs([managed, office], [deploy(OWASP), deploy(MANAGED)])).toEqual([
      [`execute_${OWASP}`, 'managed', 'office'],
      kept,
    ]);
  });

  test('keeps a deployment that is not proposed behind the exceptions that held for it', () => {
    expect(refs([office, managed, owasp], [deploy(MANAGED), skip(address)])).toEqual([
      ['managed', 'office', 'owasp'],
      ['STANDING_RULE_DIFFERS', 'STANDING_RULE_KEPT'],
    ]);
  });

  test('keeps a deployment that is not proposed before exceptions that are new', () => {
    expect(refs([managed, owasp], [skip(address, { ref: 'new' }), deploy(MANAGED)])).toEqual([
      ['owasp', 'new', 'managed'],
      ['STANDING_RULE_KEPT'],
    ]);
  });

  test('that lets an exception hold for what is new is told, where the exception and the rule are on', () => {
    const proposed = (enabled: boolean) => [deploy(MANAGED), deploy(OWASP, {}, { enabled })];
    const result = ['office', 'managed', `execute_${OWASP}`];
    const told = ['STANDING_RULE_KEPT', 'STANDING_EXCEPTION_WIDER'];
    expect(refs([office, managed], proposed(true))).toEqual([result, told]);
    expect(refs([office, managed], proposed(false))).toEqual([result, told.slice(0, 1)]);
    expect(refs([{ ...office, enabled: false }, managed], proposed(true))).toEqual([
      result,
      told.slice(0, 1),
    ]);
  });
});
