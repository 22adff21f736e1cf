import { canonicalAddress, canonicalScenario } from '../../support/canonical';
import { inLab, type Lab } from '../../support/lab';
import { type Major } from '../../support/provider/schema/load-schema';
import { Edit } from './table/edit';
import { importCanonical } from './table/row';

const entryPoint =
  '/zones/0123456789abcdef0123456789abcdef/rulesets/phases/http_request_firewall_managed/entrypoint';
const rulesets = '/zones/0123456789abcdef0123456789abcdef/rulesets';
const R = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';

const says: Record<Major, string[]> = {
  3: [
    'failed to create ruleset "http_request_firewall_managed" as a similar configuration with rules already exists and overwriting will have unintended consequences',
    'first remove the existing rules',
  ],
  4: [
    'failed to create ruleset "http_request_firewall_managed"',
    'A similar configuration with rules already exists and overwriting',
    'first import the existing rules using cf-terraforming',
  ],
  5: ['failed to make http request', '400 Bad Request {', '20217', '"/kind"'],
};

async function apply(lab: Lab, major: Major) {
  lab.write('main.tf.json', new Edit(major).file);
  const planned = await lab.plan();
  expect(planned.outcome).toBe('diff');
  expect(planned.text).toContain('1 to add');
  lab.asked();
  const run = await lab.terraform('apply', '-auto-approve');
  return { ...run, error: run.stderr.replace(/[│╷╵]/g, ' ').replace(/\s+/g, ' ') };
}

const methods = (lab: Lab) => lab.asked();
const empty = canonicalScenario((ruleset) => (ruleset.rules = []));
const described = canonicalScenario((ruleset) => {
  ruleset.rules = [];
  ruleset['description'] = 'text';
});
const none = () => {
  const scenario = canonicalScenario();
  scenario.zones[0]!.rulesets = [];
  return scenario;
};

describe.each<Major>([3, 4, 5])('provider %s creates a ruleset', (major) => {
  it('where there is one with rules: the plan does not warn, the apply is refused', () =>
    inLab({ major, scenario: 'canonical' }, async (lab) => {
      const { code, error } = await apply(lab, major);
      expect(code).toBe(1);
      for (const words of says[major]) expect(error).toContain(words);
      expect(methods(lab)).toEqual([major === 5 ? `POST ${rulesets}` : `GET ${entryPoint}`]);
    }));

  it('where there is an empty one with a description: refused by the service', () =>
    inLab({ major, scenario: described }, async (lab) => {
      const { code, error } = await apply(lab, major);
      expect(code).toBe(1);
      expect(error).toContain('20217');
    }));

  it('where there is none: as configured, and the next plan is empty', () =>
    inLab({ major, scenario: none() }, async (lab) => {
      expect(await apply(lab, major)).toMatchObject({ code: 0 });
      expect((await lab.plan()).outcome).toBe('empty');
    }));

  it('and destroys it with one DELETE', () =>
    inLab({ major, scenario: 'canonical' }, async (lab) => {
      await importCanonical(lab, major);
      expect((await lab.terraform('destroy', '-auto-approve')).code).toBe(0);
      expect(lab.sent()).toMatchObject([{ method: 'DELETE', path: `${rulesets}/${R}` }]);
    }));
});

describe('an existing empty entry point without a description', () => {
  it.each<Major>([3, 4])('is deleted and made anew by provider %s', (major) =>
    inLab({ major, scenario: empty }, async (lab) => {
      expect(await apply(lab, major)).toMatchObject({ code: 0 });
      const asked = methods(lab);
      expect(asked.slice(0, 4)).toEqual([
        `GET ${entryPoint}`,
        `DELETE ${rulesets}/${R}`,
        `POST ${rulesets}`,
        `PUT ${entryPoint}`,
      ]);
      expect(asked).toHaveLength(major === 3 ? 5 : 4);
    }),
  );

  it('stops provider 5: 20217', () =>
    inLab({ major: 5, scenario: empty }, async (lab) => {
      const { code, error } = await apply(lab, 5);
      expect(code).toBe(1);
      expect(error).toContain('20217');
    }));
});

it('provider 4 trips over logging that it did not plan, and taints the whole entry point', () =>
  inLab({ major: 4, scenario: none() }, async (lab) => {
    const edit = new Edit(4);
    delete edit.rule(0)['logging'];
    lab.write('main.tf.json', edit.file);
    const run = await lab.terraform('apply', '-auto-approve');
    const error = run.stderr.replace(/\s+/g, ' ');
    expect(run.code).toBe(1);
    expect(error).toContain('Provider produced inconsistent result after apply');
    expect(error).toContain('.rules[0].logging: block count changed from 0 to 1');
    const state = lab.read('terraform.tfstate');
    expect(state).toContain('"status": "tainted"');
    const next = await lab.plan();
    expect(next.outcome).toBe('replace');
    expect(next.text).toContain(`${canonicalAddress} is tainted`);
  }));
