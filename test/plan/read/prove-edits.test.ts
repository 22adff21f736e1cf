import { applyEdit } from '../../../src/tfconfig/plan-edit';
import { makePlan } from '../../../src/plan/read/make-plan';
import { digestOf } from '../../../src/plan/plan';
import {
  configuration,
  legacyResource,
  RULESET,
  stateFacts,
  ZONE,
  zone,
} from '../support/state-facts';

const text =
  'resource "cloudflare_waf_rule" "a" {\n  rule_id = "1"\n}\n\nlocals {\n  kept = 1\n}\n';
/** HCL has no two blocks on one line: the second parser refuses them. */
const unprovable = `${text}one {} two {}\n`;

async function planned(content: string) {
  const state = stateFacts({
    legacyResources: [legacyResource('cloudflare_waf_rule.a')],
    configuration: await configuration({ 'main.tf': content }),
  });
  const plan = await makePlan({
    ...{ zones: [ZONE], rulesetIds: new Map([[ZONE, RULESET]]), address: zone.address },
    states: [state],
    client: () => {
      throw new Error('no request is sent');
    },
  });
  expect(plan.digest).toBe(digestOf(plan));
  const [edit] = plan.steps.flatMap(({ edits = [] }) => edits);
  const bytes = new TextEncoder().encode(content);
  const make = (changes: object = {}) =>
    applyEdit({ path: 'main.tf', bytes }, { ...edit!, ...changes });
  return { edit: edit!, make };
}

describe('an edit of a plan', () => {
  it('is marked when a second parser has read what it leaves', async () => {
    const { edit, make } = await planned(text);
    expect(edit.proven).toBe(true);
    expect(Buffer.from(await make()).toString()).toBe('locals {\n  kept = 1\n}\n');
  });

  it('that cannot be proven is not marked, and refused when it is made', async () => {
    const { edit, make } = await planned(unprovable);
    expect(edit.proven).toBeUndefined();
    await expect(make()).rejects.toMatchObject({ code: 'CONFIG_EDIT_REFUSED' });
  });

  it('with a mark has to give the digest that was planned all the same', async () => {
    const { make } = await planned(text);
    const forged = make({ sha256After: '0'.repeat(64) });
    await expect(forged).rejects.toMatchObject({ code: 'CONFIG_EDIT_REFUSED' });
  });
});
