import { explainUnresolved } from '../../src/translate/reading/explain-successor';

describe('why no new rule can be named', () => {
  it.each([
    [{ kind: 'several', candidates: ['1', '2'] }, 'SEVERAL_NEW_RULES', ['1', '2']],
    [{ kind: 'ending', ending: '1' }, 'ENDING_UNRESOLVED', ['1']],
    [{ kind: 'ambiguous', ending: '1', ids: ['21', '31'] }, 'ENDING_AMBIGUOUS', ['21', '31']],
    [{ kind: 'absent', id: '1' }, 'NEW_RULE_ABSENT', ['1']],
    [{ kind: 'unplaced', id: '1' }, 'NEW_RULE_UNPLACED', ['1']],
    [{ kind: 'gone' }, undefined, undefined],
    [{ kind: 'none' }, undefined, undefined],
    [{ kind: 'unlisted' }, undefined, undefined],
  ] as const)('is told with the rules that it may be: %j', (answer, code, candidates) => {
    expect(explainUnresolved('R1', answer)).toMatchObject({
      code,
      why: expect.stringContaining('rule R1') as string,
      ...(candidates === undefined ? {} : { candidates }),
    });
  });
});
