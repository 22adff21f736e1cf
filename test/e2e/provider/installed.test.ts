import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmulator } from '../../../src/emulator/emulator';
import { canonicalAddress, canonicalImportId } from '../../support/canonical';
import { inLab, type Lab } from '../../support/lab';
import { buildHostedMirror, buildMirror, type Mirror } from '../../support/provider/mirror';
import { type Major } from '../../support/provider/schema/load-schema';
import { runIn } from '../../support/terraform';
import { Edit } from './table/edit';

let folder: string;
let mirror: Mirror;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mirror-'));
  const versions = ['3.34.0', '3.35.0', '4.52.8', '5.14.0', '5.22.0'];
  mirror = await buildHostedMirror(folder, versions);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** A folder whose Terraform installs from the mirror; nothing is attached. */
function installed(
  scenario: string | object,
  use: (run: (...args: string[]) => ReturnType<Lab['terraform']>, lab: Lab) => Promise<void>,
  from: () => Mirror = () => mirror,
): Promise<void> {
  return inLab({ major: 5, scenario }, (lab) => {
    const env = {
      ...from().env,
      CLOUDFLARE_BASE_URL: lab.emulator.baseUrl,
      CLOUDFLARE_API_TOKEN: lab.emulator.credentials.token,
    };
    return use((...args) => runIn(lab.dir, 'terraform', args, env), lab);
  });
}

/** The canonical configuration with another constraint. */
function constrained(major: Major, version: string, extra: object = {}): object {
  const { file } = new Edit(major);
  const cloudflare = { source: 'cloudflare/cloudflare', version };
  return { ...file, terraform: { required_providers: { cloudflare } }, ...extra };
}

const locked = (lab: Lab) => /version += "(.*)"/.exec(lab.read('.terraform.lock.hcl'))?.[1];
const plan = ['plan', '-detailed-exitcode'];

describe('terraform init', () => {
  it.each([
    ['3.34.0', '3.34.0'],
    ['~> 3.34', '3.35.0'],
    ['>= 5.0, < 5.20', '5.14.0'],
    ['>= 3', '5.22.0'],
  ])('installs for the constraint %s version %s, and locks it', (constraint, version) =>
    installed('canonical', async (run, lab) => {
      lab.write('main.tf.json', constrained(5, constraint));
      expect((await run('init')).code).toBe(0);
      expect(locked(lab)).toBe(version);
      expect(lab.read('.terraform.lock.hcl')).toMatch(/"h1:/);
    }),
  );

  it('finds no version that the mirror does not have', () =>
    installed('canonical', async (run, lab) => {
      lab.write('main.tf.json', constrained(5, '~> 6.0'));
      const { code, stderr } = await run('init');
      expect(code).toBe(1);
      expect(stderr).toContain('Failed to query available provider packages');
    }));

  it('keeps to the lock file until it is told to upgrade', () =>
    installed('canonical', async (run, lab) => {
      lab.write('main.tf.json', constrained(3, '3.34.0'));
      expect((await run('init')).code).toBe(0);
      lab.write('main.tf.json', constrained(3, '~> 3.34'));
      expect((await run('init')).code).toBe(0);
      expect(locked(lab)).toBe('3.34.0');
      lab.write('main.tf.json', constrained(3, '3.35.0'));
      expect((await run('init')).code).toBe(1);
      expect((await run('init', '-upgrade')).code).toBe(0);
      expect(locked(lab)).toBe('3.35.0');
    }));
});

it('a state that 5.22 wrote is too new for 5.14, which the bindings pin', () =>
  installed('canonical', async (run, lab) => {
    lab.write('main.tf.json', constrained(5, '5.22.0'));
    expect((await run('init')).code).toBe(0);
    expect((await run('import', canonicalAddress, canonicalImportId(5))).code).toBe(0);
    expect((await run(...plan)).code).toBe(0);

    lab.write('main.tf.json', constrained(5, '5.14.0'));
    expect((await run('init', '-upgrade')).code).toBe(0);
    const older = await run(...plan);
    expect(older.code).toBe(1);
    expect(older.stderr).toContain('managed by newer provider version');
  }));

describe.each<[Major, string]>([
  [3, '3.35.0'],
  [4, '4.52.8'],
  [5, '5.22.0'],
])('provider %s over TLS', (major, version) => {
  it('finds the emulator by the variables that it gives out, and trusts its certificate', async () => {
    const emulator = await startEmulator({ scenario: 'canonical', tls: true });
    const dir = mkdtempSync(join(tmpdir(), 'tls-'));
    try {
      writeFileSync(join(dir, 'main.tf.json'), JSON.stringify(constrained(major, version)));
      const run = (env: object, ...args: string[]) =>
        runIn(dir, 'terraform', args, { ...mirror.env, CLOUDFLARE_RETRIES: '0', ...env });
      const env = emulator.environmentOf(major);
      expect((await run(env, 'init')).code).toBe(0);
      const id = canonicalImportId(major);
      expect(await run(env, 'import', canonicalAddress, id)).toMatchObject({ code: 0 });
      expect((await run(env, ...plan)).code).toBe(0);
      const distrusting = { ...env, SSL_CERT_FILE: join(__filename) };
      expect((await run(distrusting, ...plan)).code).toBe(1);
    } finally {
      rmSync(dir, { recursive: true });
      await emulator.stop();
    }
  });
});

it.each([
  ['0', 1],
  ['3', 0],
])('provider 4 asks again as often as CLOUDFLARE_RETRIES says: %s', (retries, code) =>
  installed('canonical', async (_run, lab) => {
    lab.write('main.tf.json', constrained(4, '4.52.8'));
    const env = {
      ...mirror.env,
      CLOUDFLARE_BASE_URL: lab.emulator.baseUrl,
      CLOUDFLARE_API_TOKEN: lab.emulator.credentials.token,
      CLOUDFLARE_RETRIES: retries,
      CLOUDFLARE_MIN_BACKOFF: '0',
    };
    await runIn(lab.dir, 'terraform', ['init'], env);
    lab.emulator.setFaults([{ kind: 'status', status: 500, times: 2 }]);
    const run = await runIn(
      lab.dir,
      'terraform',
      ['import', canonicalAddress, canonicalImportId(4)],
      env,
    );
    expect(run.code).toBe(code);
  }),
);

describe('a provider that is a process of its own', () => {
  let programs: string;
  let own: Mirror;
  beforeAll(() => {
    programs = mkdtempSync(join(tmpdir(), 'mirror-'));
    own = buildMirror(programs, ['5.22.0']);
  });
  afterAll(() => {
    rmSync(programs, { recursive: true });
  });

  it('answers as the others do, and ends with Terraform: no process is left', () =>
    installed(
      'canonical',
      async (run, lab) => {
        lab.write('main.tf.json', constrained(5, '5.22.0'));
        expect((await run('init')).code).toBe(0);
        const id = canonicalImportId(5);
        expect(await run('import', canonicalAddress, id)).toMatchObject({ code: 0, stderr: '' });
        expect((await run(...plan)).code).toBe(0);
        const left = await runIn(lab.dir, 'pgrep', ['-f', `${lab.dir}/.terraform/providers`], {});
        expect(left.stdout).toBe('');
      },
      () => own,
    ));

  it('says what it is when it is started by hand', async () => {
    const [system] = (
      await runIn(programs, 'sh', ['-c', 'ls -d registry*/*/*/5.22.0/*'], {})
    ).stdout
      .trim()
      .split('\n');
    const file = `./${system!}/terraform-provider-cloudflare_v5.22.0`;
    const run = await runIn(programs, file, [], {});
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toContain('plugin');
  });
});
