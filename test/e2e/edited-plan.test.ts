import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Plan, withDigest } from '../../src/plan/plan';
import { applySettings, makePlan, stateNow } from '../support/apply-world';
import { inWorld } from '../support/world';

it('every command refuses a plan whose backup was removed, though its digest is right', () =>
  inWorld({ ...applySettings, backend: 'http' }, async (world) => {
    const { lab, http } = world;
    const { digest, ...plan } = await makePlan(world, 'removing');
    const before = stateNow(world);
    http!.clearLog();
    const steps = plan.steps.slice(1).map((step, at) => ({ ...step, id: String(at + 1) }));
    const refuses = async (command: string, edited: Omit<Plan, 'digest'>) => {
      lab.write('plan.json', JSON.stringify(withDigest(edited)));
      const flags = command === 'apply' ? ['--yes'] : [];
      const { code, stderr } = await lab.cli([command, 'plan.json', '--json', ...flags]);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/"code":\s*"\w+"/)]);
      return stderr;
    };
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    for (const command of ['apply', 'rehearse', 'verify'])
      expect(await refuses(command, { ...plan, steps })).toContain('PLAN_INVALID');
    expect([http!.locks(), existsSync(join(lab.dir, 'cf-waf-migrate-backup'))]).toEqual([0, false]);
    // a state that the plan creates needs no backup, but this one exists
    const states = plan.states.map((state) => ({ ...state, lineage: '' }));
    await refuses('apply', { ...plan, states, steps });
    expect([http!.writes(), stateNow(world)]).toEqual([0, before]);
  }));
