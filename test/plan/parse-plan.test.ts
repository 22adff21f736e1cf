import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStateBytes } from '../../src/plan/read/read-facts';
import { parsePlan } from '../../src/plan/parse-plan';
import { digestOf } from '../../src/plan/plan';
import { planSchema } from '../../src/plan/plan';
import { planMigration } from '../../src/plan/plan-migration';
import { everyStep } from './support/every-step';

const bytes = readFileSync(join(__dirname, '../fixtures/terraform/states/old-waf-3.35.tfstate'));
const zone = {
  zoneId: '0123456789abcdef0123456789abcdef',
  rulesetId: 'a'.repeat(32),
  address: 'cloudflare_ruleset.managed_rules',
};
const plan = planMigration([zone], [readStateBytes(bytes, 'default', { to: '5.22.0' })]);
const saved = (): any => JSON.parse(JSON.stringify(plan));
/** With every kind of step, and every field that a plan can have. */
const whole = () => {
  const states = everyStep.states.map((state) => ({ ...state, dataDir: 'd' }));
  const plan = { ...everyStep, states };
  return { ...plan, digest: digestOf(plan) };
};
const planParts: [string, (plan: any) => any][] = [
  ['the plan', (plan) => plan],
  ['a zone', (plan) => plan.zones[0]],
  ['a ruleset', (plan) => plan.zones[0].ruleset],
  ['a state', (plan) => plan.states[0]],
  ['a provider', (plan) => plan.states[0].provider],
  ['a step', (plan) => plan.steps[0]],
  ['a command', (plan) => plan.steps[0].runs[0]],
  ['what is expected', (plan) => plan.steps.find(({ expects }: any) => expects).expects],
  ['an edit', (plan) => plan.steps.find(({ edits }: any) => edits).edits[0]],
  ['a block', (plan) => plan.steps.find(({ edits }: any) => edits).edits[0].remove[0]],
  ['a finding', (plan) => plan.findings[0]],
];
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

  it.each<[string, (document: any) => unknown]>([
    [
      'not a plan of this version: document: invalid input: expected object, received null',
      () => null,
    ],
    [
      'not a plan of this version: formatVersion: invalid input: expected 1',
      (p) => ({ ...p, formatVersion: 2 }),
    ],
    [
      'not a plan of this version: steps.0: unrecognized key: "shell"',
      (p) => ((p.steps[0].shell = 'x'), p),
    ],
    [
      'not a plan of this version: steps.1.id: invalid string: must match pattern /^\\d+$/',
      (p) => ((p.steps[1].id = '1x'), p),
    ],
    [
      'not a plan of this version: steps.1.id: invalid string: must match pattern /^\\d+$/',
      (p) => ((p.steps[1].id = 'x1'), p),
    ],
    ['the plan was changed after it was written: its digest differs', (p) => ({ ...p, zones: [] })],
  ])('is refused with what is wrong: %s', (message, change) => {
    expect(() => parsePlan(change(saved()))).toThrow(message);
  });

  it('is read with every field that a plan can have', () => {
    expect(planSchema.parse(JSON.parse(JSON.stringify(whole())))).toEqual(whole());
  });

  it.each(planParts)('is refused where it has more in it than is known: %s', (_, part) => {
    const document = JSON.parse(JSON.stringify(whole()));
    part(document).more = 1;
    expect(() => parsePlan(document)).toThrow('unrecognized key: "more"');
  });
});
