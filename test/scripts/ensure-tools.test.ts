import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { listen } from '../support/listen';
import { runProcess } from '../support/run-process';
import { temporaryFolder } from '../support/temporary-folder';

const script = join(__dirname, '../../scripts/ensure-tools.mjs');

/** LICENSE.txt and terraform, a shell script that prints `installed`, as `zip` packs them. */
const zip = Buffer.from(
  `UEsDBBQAAAAIAAAAIVyDFtyMAwAAAAEAAAALAAAATElDRU5TRS50eHSrAABQSwMEFAAAAAgAAAAhXOF5CeQfAAAAagAA
AAkAAAB0ZXJyYWZvcm1TVtRPyszTL87gSk3OyFfIzCsuSczJSU3hUqYy4AIAUEsBAhQDFAAAAAgAAAAhXIMW3IwDAAAAAQAA
AAsAAAAAAAAAAAAAAO0BAAAAAExJQ0VOU0UudHh0UEsBAhQDFAAAAAgAAAAhXOF5CeQfAAAAagAAAAkAAAAAAAAAAAAAAO0B
LAAAAHRlcnJhZm9ybVBLBQYAAAAAAgACAHAAAAByAAAAAAA=`,
  'base64',
);
const right = createHash('sha256').update(zip).digest('hex');
const system = `${process.platform}_${process.arch === 'x64' ? 'amd64' : process.arch}`;

/** Installs Terraform 1.2.3 from a local server into an empty cache folder. */
async function install(answer: (response: ServerResponse) => void, checksum = right) {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    answer(response);
  });
  const { port, close } = await listen(server);
  const cache = join(temporaryFolder(), 'cache');
  const site = `http://127.0.0.1:${port}/terraform`;
  const release = { site, version: '1.2.3', checksums: { [system]: checksum } };
  const run = () =>
    runProcess(process.execPath, [
      '--input-type=module',
      '--eval',
      `import { installTerraform } from ${JSON.stringify(pathToFileURL(script).href)};
      console.log(await installTerraform(${JSON.stringify(cache)}, ${JSON.stringify(release)}));`,
    ]);
  const { code, stdout, stderr } = await run();
  const again = await run();
  await close();
  return { code, folder: stdout.trim(), stderr, again, paths, left: readdirSync(cache) };
}

const whole = (response: ServerResponse): void => {
  response.end(zip);
};

it('installs Terraform once', async () => {
  const { code, folder, again, paths, left } = await install(whole);
  expect([code, paths, left]).toEqual([
    0,
    [`/terraform/1.2.3/terraform_1.2.3_${system}.zip`],
    ['terraform-1.2.3'],
  ]);
  expect(again).toEqual({ code: 0, stdout: `${folder}\n`, stderr: '' });
  expect(await runProcess(join(folder, 'terraform'), [])).toMatchObject({ stdout: 'installed\n' });
});

it.each([
  ['a wrong checksum', whole, '0'.repeat(64), 'wrong checksum'],
  [
    'a refusal',
    (response: ServerResponse) => response.writeHead(403).end('no'),
    right,
    'HTTP 403 from http',
  ],
  [
    'a download that is cut off',
    (response: ServerResponse) => {
      response.writeHead(200, { 'content-length': zip.length });
      response.write(zip.subarray(0, 100), () => response.destroy());
    },
    right,
    'terminated',
  ],
])('installs nothing after %s', async (_, answer, checksum, message) => {
  const { code, stderr, left } = await install(answer, checksum);
  expect([code, stderr, left]).toEqual([1, expect.stringContaining(message), []]);
});

it('names what to install when a tool cannot be installed', async () => {
  // neither Terraform, Chromium nor npm is in PATH
  const environment = {
    PATH: temporaryFolder(),
    XDG_CACHE_HOME: temporaryFolder(),
    PLAYWRIGHT_DOWNLOAD_HOST: 'http://127.0.0.1:9',
  };
  const offline = `globalThis.fetch = async () => { throw new Error('no network'); };`;
  const { code, stderr } = await runProcess(
    process.execPath,
    ['--import', `data:text/javascript,${offline}`, script],
    { env: environment },
  );
  expect(code).toBe(1);
  expect(stderr).toContain(
    'Install Terraform 1.7 or later for the tests that need it (no network).',
  );
  expect(stderr).toMatch(/^Install Chromium for the tests that need it \(.+\)\.$/m);
});
