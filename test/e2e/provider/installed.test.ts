import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmulator } from '../../../src/emulator/emulator';
import { canonicalAddress, canonicalImportId } from '../../support/canonical';
import { hostedMirror } from '../../support/hosted-mirror';
import { type Major } from '../../support/provider/schema/load-schema';
import { runIn } from '../../support/terraform';
import { Edit } from './table/edit';

const mirror = hostedMirror(['3.35.0', '4.52.8', '5.22.0']);

it.each<[Major, string]>([
  [3, '3.35.0'],
  [4, '4.52.8'],
  [5, '5.22.0'],
])(
  'provider %s over TLS finds the emulator by the variables that it prints, and trusts its certificate',
  async (major, version) => {
    const emulator = await startEmulator({ scenario: 'canonical', tls: true });
    const dir = mkdtempSync(join(tmpdir(), 'tls-'));
    try {
      const cloudflare = { source: 'cloudflare/cloudflare', version };
      const terraform = { required_providers: { cloudflare } };
      const text = JSON.stringify({ ...new Edit(major).file, terraform });
      writeFileSync(join(dir, 'main.tf.json'), text);
      const run = (env: object, ...args: string[]) =>
        runIn(dir, 'terraform', args, { ...mirror.env, ...env });
      // the real providers 3 and 4 do not read it
      const { CLOUDFLARE_BASE_URL, ...apart } = emulator.environment;
      const env = { ...apart, ...(major === 5 && { CLOUDFLARE_BASE_URL }) };
      expect((await run(env, 'init')).code).toBe(0);
      const id = canonicalImportId(major);
      expect(await run(env, 'import', canonicalAddress, id)).toMatchObject({ code: 0 });
      const plan = ['plan', '-detailed-exitcode'];
      expect((await run(env, ...plan)).code).toBe(0);
      const distrusting = { ...env, SSL_CERT_FILE: __filename };
      expect((await run(distrusting, ...plan)).code).toBe(1);
    } finally {
      rmSync(dir, { recursive: true });
      await emulator.stop();
    }
  },
);
