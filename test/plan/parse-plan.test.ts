import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStateBytes } from '../../src/actions/read-state';
import { parsePlan } from '../../src/plan/parse-plan';
import { planMigration } from '../../src/plan/plan-migration';

const bytes = readFileSync(join(__dirname, '../fixtures/terraform/states/old-waf-3.35.tfstate'));
const zone = {
  zoneId: '0123456789abcdef0123456789abcdef',
  rulesetId: 'a'.repeat(32),
  address: 'cloudflare_ruleset.managed_rules',
};
const plan = planMigration([zone], [readStateBytes(bytes, 'default', { to: '5.22.0' })]);
const saved = (): any => JSON.parse(JSON.stringify(plan));
const refusal = (document: unknown): unknown => {
  try {
    parsePlan(document);
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('a saved plan', () => {
  it('is read as it was written, also when it was reformatted', () => {
    expect(parsePlan(saved())).toEqual(plan);
    const { digest, ...rest } = saved();
    expect(parsePlan({ ...rest, digest })).toEqual(plan);
  });

  it.each([
    ['one address was taken out by hand', (p: any) => p.steps[2].addresses.pop()],
    ['one argument was changed by hand', (p: any) => (p.steps[2].runs[0].argv[2] = 'mv')],
    ['it is of another version', (p: any) => (p.formatVersion = 2)],
    ['it has no digest', (p: any) => delete p.digest],
    ['a field is not known', (p: any) => (p.steps[0].shell = 'rm -rf /')],
    ['a kind is not known', (p: any) => (p.steps[0].kind = 'destroy')],
  ])('is refused when %s', (_, change) => {
    const document = saved();
    change(document);
    expect(refusal(document)).toBe('PLAN_INVALID');
  });

  it.each([[null], [[]], ['text'], [{}]])('is refused when it is %j', (document) => {
    expect(refusal(document)).toBe('PLAN_INVALID');
  });
});
