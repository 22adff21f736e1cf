import { NOT_ELIGIBLE } from '../support/zones';
import { cliWithEmulator, errorOf } from './support/cli-with-emulator';

const cli = cliWithEmulator();

it.each(['generate', 'report', 'fetch-config'])(
  '%s of a zone that may not migrate names the command that says why',
  async (command) => {
    const ran = await cli.run([command, '--zone', NOT_ELIGIBLE, '--json']);
    expect([ran.code, errorOf(ran).code]).toEqual([1, 'API_REFUSED']);
    expect(errorOf(ran).hint).toContain(`cf-waf-migrate check --zone ${NOT_ELIGIBLE}`);
  },
);
