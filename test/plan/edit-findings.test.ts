import { blockGone, dataInCheck } from '../../src/plan/edit-findings';

describe('an old resource that no file declares, and that the state still holds', () => {
  it('is destroyed by an apply', () => {
    const { message, remedy } = blockGone('cloudflare_waf_rule.a');
    expect(message).toBe(
      'the configuration no longer declares this old resource while the state still holds it: an apply now would destroy it',
    );
    expect(remedy).toMatch(/have taken it out of the state$/);
  });

  it('may stand in the files that OpenTofu alone loads', () => {
    const { message, remedy } = blockGone('cloudflare_waf_rule.a', ['a.tofu', 'b.tofu']);
    expect(message).toBe(
      'the .tf files do not declare this old resource while the state still holds it: an apply now would destroy it, unless a file declares it that OpenTofu alone loads, and that is not read here: a.tofu, b.tofu',
    );
    expect(remedy).toMatch(/; where its block stands in such a file, take it out of there by hand/);
  });
});

describe('a check block that reads an old data source', () => {
  it.each([
    [true, 'no longer answers: each plan warns of it'],
    [false, 'the provider does not know: nothing can be planned or imported beside it'],
  ])('warns or stops, as the provider has a schema for it: %s', (isKnown, what) => {
    expect(dataInCheck('data.cloudflare_waf_rules.a', 'main.tf', isKnown).message).toBe(
      `a check block in main.tf reads an old data source, which ${what}`,
    );
  });
});
