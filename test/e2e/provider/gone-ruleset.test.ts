import { canonicalScenario, measuredState } from '../../support/canonical';
import { inLab } from '../../support/lab';
import { type Major } from '../../support/provider/schema/load-schema';
import { Edit } from './table/edit';

/** The service has another entry point, or does not know the path at all. */
function withoutRuleset(zone?: string): object {
  const scenario = canonicalScenario();
  scenario.zones[0]!.rulesets = [];
  if (zone !== undefined) scenario.zones[0]!.id = zone;
  return scenario;
}

describe.each<Major>([3, 4, 5])('provider %s, when the ruleset is not there', (major) => {
  it('plans to create it, without an error', () =>
    inLab({ major, scenario: withoutRuleset() }, async (lab) => {
      lab.write('terraform.tfstate', measuredState(major));
      lab.write('main.tf.json', new Edit(major).file);
      const verdict = await lab.plan();
      expect(verdict.outcome).toBe('diff');
      expect(verdict.text).toContain('1 to add');
      if (major === 5) expect(verdict.text).toContain('Resource not found');
    }));

  it('and the service knows no such route: 4 and 5 take that for gone, 3 does not', () =>
    inLab({ major, scenario: withoutRuleset() }, async (lab) => {
      const state = measuredState(major).replaceAll('"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"', '"A!"');
      lab.write('terraform.tfstate', state);
      lab.write('main.tf.json', new Edit(major).file);
      const verdict = await lab.plan();
      if (major === 3) expect(verdict.text).toContain('(7003)');
      expect(verdict.outcome).toBe(major === 3 ? 'error' : 'diff');
    }));
});
