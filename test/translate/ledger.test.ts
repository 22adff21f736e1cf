import { Ledger } from '../../src/translate/reading/read-context';

const setting = { kind: 'rule', from: 'a', attribute: 'mode', subject: '1', value: 'on' } as const;
const why = 'no matter';

describe('the list of all settings', () => {
  it('has each with its verdict, in the order in which they came, and equal ones twice', () => {
    const ledger = new Ledger();
    const [first, second] = [ledger.add(setting), ledger.add(setting)];
    ledger.decide(second, { kind: 'inert', why: 'the second' });
    ledger.decide(first, { kind: 'inert', why: 'the first' });
    expect(ledger.entries()).toEqual([
      { setting, verdict: { kind: 'inert', why: 'the first' } },
      { setting, verdict: { kind: 'inert', why: 'the second' } },
    ]);
  });

  it('takes no second verdict on a setting', () => {
    const ledger = new Ledger();
    const one = ledger.add(setting);
    ledger.decide(one, { kind: 'inert', why });
    expect(() => {
      ledger.decide(one, { kind: 'inert', why });
    }).toThrow('two verdicts on a mode');
  });

  it('is not told while a setting has none', () => {
    const ledger = new Ledger();
    ledger.add(setting);
    expect(() => ledger.entries()).toThrow('no verdict on a mode');
  });
});
