import { apply, applySettings, makePlan } from '../support/apply-world';
import { runCli } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';
import { inWorld, type World } from '../support/world';

/** `status` in the Terraform folder, without a flag. */
async function status({ lab }: World, environment: Record<string, string> = {}) {
  const options = { cwd: lab.dir, environment: { ...lab.environment, ...environment } };
  const [text, json] = [
    await runCli(['status'], options),
    await runCli(['status', '--json'], options),
  ];
  expect([text.code, json.code]).toEqual([0, 0]);
  return { text: text.stdout, document: JSON.parse(json.stdout) };
}

it('leads from legacy resources to an applied plan, and then has nothing left to say', () =>
  inWorld(applySettings, async (world) => {
    const { zoneIds, addresses } = world;
    const before = await status(world);
    expect(before.document).toMatchObject({
      folders: [{ dir: '.' }],
      zones: [
        {
          zone: zoneIds[0],
          oldWaf: 'off',
          newWaf: 'on',
          legacy: { state: addresses.length },
          ruleset: { declared: false, inState: false },
          next: 'cf-waf-migrate plan',
        },
      ],
    });
    expect(before.text).toMatch(/\nNext:\n {2}cf-waf-migrate plan\n$/);

    await makePlan(world, 'removing');
    expect((await apply(world)).code).toBe(0);
    const after = await status(world);
    expect(after.document.zones).toMatchObject([
      {
        legacy: { state: 0, configuration: 0 },
        ruleset: { declared: true, inState: true },
        next: null,
      },
    ]);
    expect(after.text).toContain('1 zone: nothing is left to do');
  }));

it('tells what the folder alone says without credentials, and what was not seen', () =>
  inWorld(applySettings, async (world) => {
    const { document, text } = await status(world, { CLOUDFLARE_API_TOKEN: '' });
    expect(document.zones).toMatchObject([{ oldWaf: 'unknown', next: 'cf-waf-migrate plan' }]);
    expect(document.findings).toMatchObject([{ code: 'API_NOT_ASKED', severity: 'info' }]);
    expect(text).toContain('  unknown  ');
  }));

it('counts the blocks of the configuration where the state cannot be read', () =>
  inWorld(applySettings, async (world) => {
    const { document } = await status(world, { PATH: temporaryFolder() });
    expect(document.findings).toMatchObject([
      { code: 'STATE_UNREAD', severity: 'decision', subject: '.' },
    ]);
    const [zone] = document.zones;
    expect(zone.legacy.state).toBe(0);
    expect(zone.legacy.configuration).toBeGreaterThan(0);
  }));
