import fc from 'fast-check';
import { isPlanText, planFormats } from '../../../src/plan/formats/plan-formats';
import { type Plan, type Step } from '../../../src/plan/plan-schema';
import { planMigration } from '../../../src/plan/plan-migration';
import { parseTerraformFlags, passFlags } from '../../../src/plan/steps/terraform-flags';
import { readStateBytes } from '../../../src/plan/facts/read-facts';
import { expectGolden, otherGoldenFiles } from '../../generate/support/golden';
import { anyCharacter } from '../../support/any-character';
import { arbitraryResources, rawState } from '../../support/arbitrary-state';
import { everyStep } from '../support/every-step';
import { planOf, withSteps, zone } from '../support/plans';

const { text, json, sh, markdown } = planFormats;
const big = planOf('old-waf-3.35.tfstate', { from: '3.35.0', to: '5.22.0' });
const small = planOf('tainted-3.35.tfstate', { from: '3.35.0' });
/** The formats that people read; the JSON is the plan itself. */
const rendered = Object.entries(planFormats).filter(([format]) => format !== 'json');
const golden: Readonly<Record<string, [(plan: Plan) => string, () => Plan]>> = {
  ...Object.fromEntries(
    rendered.map(([format, { render }]) => [`every-step-${format}.txt`, [render, () => everyStep]]),
  ),
  'another-binary-sh.txt': [
    (plan) => sh.render(plan, 'tofu'),
    () => ({ ...everyStep, steps: everyStep.steps.slice(0, 5) }),
  ],
};
const manual = (more: Partial<Step>): Plan =>
  withSteps(everyStep, [{ kind: 'manual', state: 'main', title: 'Plan', why: 'so', ...more }]);

describe('every format', () => {
  it.each(Object.keys(golden))('prints every kind of step as in %s', (file) => {
    const [render, plan] = golden[file]!;
    expectGolden('plan-formats', file, render(plan()));
  });

  it.each(['text', 'markdown'] as const)('%s shows no value of -var', (format) => {
    const flags = parseTerraformFlags(['-var=token=hunter2', '-backend-config', 'key=hunter2']);
    for (const plan of [
      big,
      { ...everyStep, states: [{ ...everyStep.states[0]!, method: 'blocks' as const }] },
    ]) {
      const shown = planFormats[format].render({ ...plan, steps: passFlags(plan.steps, flags) });
      expect(shown).not.toContain('hunter2');
      expect(shown).toContain("'-var=token=…'");
    }
  });

  it('has no other golden file', () => {
    expect(otherGoldenFiles('plan-formats', Object.keys(golden))).toEqual([]);
  });

  it.each(Object.entries(planFormats))('%s is recognised as a plan', (_, { render }) => {
    expect(isPlanText(render(big))).toBe(true);
    expect(isPlanText(render(withSteps(small, [])))).toBe(true);
  });

  it.each(['', '{}', '{"version": 4}', '#!/bin/sh\nrm -rf x\n', 'resource "x" "y" {}'])(
    'does not recognise %j as a plan',
    (other) => {
      expect(isPlanText(other)).toBe(false);
    },
  );

  it('prints the JSON of the plan, indented by two', () => {
    expect(json.render(everyStep)).toBe(`${JSON.stringify(everyStep, null, 2)}\n`);
  });

  it('begins each command of Terraform with another binary, but not in a saved plan', () => {
    for (const [, { render }] of rendered) {
      const other = render(everyStep, '/opt/tofu');
      expect(other.replaceAll(/\/opt\/tofu(?= )/g, 'terraform')).toBe(render(everyStep));
      expect(other).not.toMatch(/^ *terraform /m);
    }
    expect(json.render(everyStep, '/opt/tofu')).toBe(json.render(everyStep));
  });

  it('has no control character, whatever the state and the folder have', () => {
    const hostile = /[^\P{Cc}\n]|[\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;
    fc.assert(
      fc.property(arbitraryResources, fc.string({ unit: anyCharacter }), (resources, dir) => {
        const bytes = Buffer.from(JSON.stringify(rawState(resources)));
        const state = { ...readStateBytes(bytes, 'default', {}), dir, workspace: dir };
        const plan = planMigration([{ ...zone, zoneId: '0'.repeat(32) }], [state]);
        for (const [, { render }] of rendered) expect(render(plan)).not.toMatch(hostile);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the plan as text', () => {
  it('names zones where a state tells their names', () => {
    const zones = everyStep.zones.map((one) => ({ ...one, name: 'shop.example.com' }));
    const named = { ...everyStep, zones };
    expect(text.render(named).replaceAll(/\s+/g, ' ')).toContain(
      `shop.example.com (${zones[0]!.zoneId})`,
    );
    expect(markdown.render(named)).toContain(`\`shop.example.com\` (\`${zones[0]!.zoneId}\`)`);
  });

  it('names each address of a manual step, which the user works off', () => {
    const addresses = Array.from({ length: 40 }, (_, at) => `a.b${at}`);
    const shown = text.render(manual({ addresses }));
    expect(addresses.filter((one) => !shown.includes(`      ${one}\n`))).toEqual([]);
    expect(shown).not.toContain('more');
  });
});

describe('the plan as Markdown', () => {
  it('renders no text from outside as markup, HTML, a mention or the end of its fence', () => {
    const address = 'a.b["``` </details><img src=x onerror=y> @team \u202e\u001b[2J"]';
    const shown = markdown.render(
      manual({
        title: '**x** <b>@team</b> [a](javascript:b)',
        addresses: [address, 'c.d'],
        runs: [{ argv: ['x', address] }],
      }),
    );
    expect(shown).not.toMatch(/[^\P{C}\n]/u);
    expect(shown).toContain('&#42;&#42;x&#42;&#42; &#60;b&#62;&#64;team&#60;/b&#62;');
    expect(shown).not.toContain('](javascript');
    // the fence is longer than every run of back quotes in it
    expect(shown).toContain(
      `  \`\`\`\`text\n  ${address.replace('\u202e\u001b', '\\u{202e}\\u{1b}')}`,
    );
  });

  it.each([
    ['a  b', '`a  b`'],
    ['`', '`` ` ``'],
  ])('names the folder %j as %s', (dir, shown) => {
    const states = everyStep.states.map((state) => ({ ...state, dir }));
    expect(markdown.render({ ...everyStep, states })).toContain(`Folder ${shown}, workspace`);
  });
});
