import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningProvider, startProvider } from '../../support/provider/start';
import { terraform } from '../../support/terraform';
import { startFakeService } from './fake-service';

const canonical = join(__dirname, '../../fixtures/terraform/canonical');
const text = (path: string) => readFileSync(join(canonical, path), 'utf8');

interface StateFile {
  resources: { instances: object[] }[];
}
const instance = (state: string) => (JSON.parse(state) as StateFile).resources[0]?.instances[0];

let service: Awaited<ReturnType<typeof startFakeService>>;
let provider: RunningProvider;
let dir: string;

beforeAll(async () => {
  service = await startFakeService(
    JSON.parse(text('api-entrypoint.json')) as Parameters<typeof startFakeService>[0],
  );
  provider = await startProvider({ major: 5, baseUrl: service.baseUrl });
});
afterAll(async () => {
  await provider.stop();
  await service.stop();
});
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'canonical-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true });
});

describe.each(['tf', 'tfjson'])('the canonical configuration of provider 5 as %s', (format) => {
  it('imports to the measured state, and plans empty', async () => {
    cpSync(join(canonical, 'v5', format), dir, { recursive: true });
    const id = text('v5/IMPORT_ID.txt').trim();

    const imported = await terraform(dir, ['import', 'cloudflare_ruleset.waf', id], provider.env);
    expect(imported).toMatchObject({ code: 0, stderr: '' });
    expect(instance(readFileSync(join(dir, 'terraform.tfstate'), 'utf8'))).toEqual(
      instance(text('v5/state-after-import.tfstate')),
    );

    const planned = await terraform(dir, ['plan', '-detailed-exitcode'], provider.env);
    expect(planned).toMatchObject({ code: 0, stderr: '' });
  });
});
