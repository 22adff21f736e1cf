import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WORK_WORDS } from '../../src/zone/next-step';
import { event, lines, sample } from '../review/support/event-files';
import { appliedFolder, OLD, resource, RULESET, stateText } from '../support/applied-folder';
import { cliWithEmulator, jsonOf } from '../support/cli-lab';
import { type CliRun } from '../support/run-cli';
import { ENTERPRISE, MIGRATED } from '../support/zones';

const page = readFileSync(join(__dirname, '../../docs/commands.md'), 'utf8');
const table = new Map(
  [...page.matchAll(/^\| (\S.*?) +\| `\{(.*?)\}`/gm)].map(([, command = '', fields = '']) => [
    command.replaceAll('`', ''),
    fields.split(', ').map((field) => field.replace('[]', '')),
  ]),
);

/** Compares the fields of a document with those of the page; a field with `?` can be absent. */
function expectFields(command: string, ran: CliRun, document: object = jsonOf(ran)): void {
  const fields = table.get(command) ?? [];
  const required = fields.filter((field) => !field.endsWith('?'));
  const given = Object.keys(document);
  expect([command, fields.map((field) => field.replace('?', ''))]).toEqual([
    command,
    expect.arrayContaining(given),
  ]);
  expect([command, given]).toEqual([command, expect.arrayContaining(required)]);
}

describe('docs/commands.md has the JSON fields', () => {
  const cli = cliWithEmulator();

  it.each([
    ['status', `status --zone ${ENTERPRISE}`],
    ['check', `check --zone ${ENTERPRISE}`],
    ['report', `report --zone ${ENTERPRISE}`],
    ['catalogue lookup', 'catalogue lookup 100532'],
    ['generate', `generate --zone ${MIGRATED} --out stack`],
    ['fetch-config', `fetch-config --zone ${ENTERPRISE} --out config.json`],
    ['start-validation', `start-validation --zone ${ENTERPRISE} --yes`],
    ['finish', `finish --zone ${ENTERPRISE} --confirm shop.example.com`],
    ['firewall rules list', `firewall rules list --zone ${ENTERPRISE}`],
    ['demo', 'demo'],
    ['completion', 'completion bash'],
  ])('of %s', async (command, line) => {
    const ran = await cli.run(`${line} --json`);
    expectFields(command, ran);
  });

  it('of a zone of status, and the values of work', async () => {
    const ran = await cli.run(`status --zone ${ENTERPRISE} --json`);
    expectFields('Each zone of status', ran, jsonOf(ran).zones[0]);
    const [, values = ''] = /^`work` is (.*?)\.$/ms.exec(page) ?? [];
    const named = [...values.matchAll(/`([a-z-]+)`/g)].map(([, value]) => value);
    expect(named.toSorted()).toEqual(Object.keys(WORK_WORDS).toSorted());
  });

  it('of review', async () => {
    cli.write({ events: lines([...sample, event('9', 'waf', 'block', '100001', '/')]) });
    expectFields('review', await cli.run('review --events events --json'));
  });

  it('of many zones, and of fleet status', async () => {
    cli.write({ zones: `${ENTERPRISE}\n` });
    expectFields('Many zones', await cli.run('check --zones zones --json'));
    expectFields('fleet status', await cli.run('fleet status --json'));
  });
});

describe('docs/commands.md has the JSON fields of a plan run', () => {
  function folderOf(resources: object[], serial: number) {
    const folder = appliedFolder();
    folder.write('plan.json', JSON.stringify(folder.plan));
    folder.write('state.json', stateText(serial, resources));
    return folder;
  }

  it.each(['apply', 'verify'])('of %s', async (command) => {
    const { cli } = folderOf([resource(RULESET)], 3);
    expectFields(command, await cli(command, 'plan.json', '--yes', '--json'));
  });

  it('of rehearse', async () => {
    const { cli } = folderOf([resource(OLD)], 1);
    expectFields('rehearse', await cli('rehearse', 'plan.json', '--json'));
  });

  it('of rollback', async () => {
    const { cli, journal } = folderOf([resource(RULESET)], 3);
    expectFields('rollback', await cli('rollback', journal, '--yes', '--json'));
  });
});
