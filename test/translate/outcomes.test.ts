import { Ledger } from '../../src/translate/reading/ledger';
import { Outcomes } from '../../src/translate/reading/outcomes';

const want = { kind: 'rule-off', id: '1' } as const;

/** What is decided on a setting of which this came. */
function verdictOf(tell: (outcomes: Outcomes, one: any) => void, before?: string) {
  const [ledger, outcomes] = [new Ledger(), new Outcomes()];
  const one = ledger.add({ kind: 'override', from: 'o', attribute: 'a', subject: 's', value: 'v' });
  tell(outcomes, one);
  outcomes.decide(ledger, new Map(before === undefined ? [] : [[one, before]]));
  return ledger.entries()[0]!.verdict;
}
const lose = (outcomes: Outcomes, one: any) => {
  outcomes.lost([one], 'this is gone', 'do this');
  outcomes.lost([one], 'that is gone', 'do that');
  outcomes.lost([one], 'this is gone', 'do this');
};

describe('what becomes of a setting that asks for several things', () => {
  it('is what is wanted, with every reason why the rest is missing once', () => {
    const verdict = verdictOf((outcomes, one) => {
      outcomes.inert([one], 'it holds anyway');
      outcomes.wanted([one], want);
      lose(outcomes, one);
    }, 'not all is known');
    const missing = 'not all is known, and this is gone, and that is gone';
    expect(verdict).toEqual({ kind: 'wanted', wants: [want], missing });
  });

  it('is unknown for every reason where nothing can be carried, with the first remedy', () => {
    const why = 'this is gone, and that is gone';
    expect(verdictOf(lose)).toEqual({ kind: 'unknown', why, remedy: 'do this' });
  });

  it('is unknown where no more is known than that not all is', () => {
    expect(
      verdictOf((outcomes, one) => {
        outcomes.inert([one], 'it holds');
      }, 'who knows'),
    ).toEqual({
      kind: 'unknown',
      why: 'who knows',
      remedy: 'write the rest for these URLs by hand',
    });
  });

  it('is nothing where all of it holds anyway', () => {
    const verdict = verdictOf((outcomes, one) => {
      outcomes.inert([one], 'it holds anyway');
    });
    expect(verdict).toEqual({ kind: 'inert', why: 'it holds anyway' });
  });
});
