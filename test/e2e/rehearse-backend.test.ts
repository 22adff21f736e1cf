import { applySettings, errorOf } from '../support/apply-world';
import { runCli } from '../support/run-cli';
import { inWorld } from '../support/world';

/** Rehearses a project whose backend stands in an override file, and looks whether it was written. */
async function rehearse(file: string): Promise<{ stdout: string; stderr: string }> {
  return inWorld({ ...applySettings, backend: 'http' }, async ({ lab, http, zoneIds, state }) => {
    lab.write(file, http!.config);
    const options = { cwd: lab.dir, environment: lab.environment };
    const planning = ['plan', '--zone', zoneIds[0]!, '--dir', '.'];
    const planned = await runCli([...planning, '--out', 'plan.json'], options);
    expect([planned.code, planned.stderr]).toEqual([0, '']);
    const run = await runCli(['rehearse', 'plan.json', '--json'], options);
    expect([http!.writes(), http!.locks(), http!.state()]).toEqual([0, 0, state]);
    return run;
  });
}

describe('the state of a backend that stands in an override file is not written', () => {
  it('where that of the copy comes behind it', async () => {
    const { stdout } = await rehearse('zzz_override.tf.json');
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'clean' });
  });

  it('where it would come behind that of the copy, which is refused', async () => {
    const error = errorOf(await rehearse('~~~_override.tf.json'));
    expect(error.code).toBe('REHEARSAL_IMPOSSIBLE');
    expect(error.message).toContain('another backend');
  });
});
