import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { type Pace, serveInstalled } from './installed';

export interface Mirror {
  env: Record<string, string>;
}

/**
 * Builds a filesystem mirror of provider versions below a folder, so that `terraform init`, the lock file and version
 * constraints are real. Terraform starts a shell script, and this process answers, which is ten times faster than to
 * start a process for each provider.
 *
 * @param dir a folder that the caller removes
 * @param versions such as `3.35.0`; each behaves as the measured version of its major
 * @param paces additional delays of the providers by version
 * @example
 * const mirror = await buildHostedMirror(dir, ['3.35.0', '4.52.8', '5.22.0']);
 * await terraform(configuration, ['init'], mirror.env);
 */
export async function buildHostedMirror(
  dir: string,
  versions: string[],
  paces: ReadonlyMap<string, Pace> = new Map(),
): Promise<Mirror> {
  const port = await hostProviders(paces);
  const system = `${platform()}_${arch() === 'x64' ? 'amd64' : arch()}`;
  for (const version of versions) {
    const home = join(dir, 'registry.terraform.io/cloudflare/cloudflare', version, system);
    mkdirSync(home, { recursive: true });
    const executable = join(home, `terraform-provider-cloudflare_v${version}`);
    writeFileSync(executable, launcher(version, port), { mode: 0o755 });
  }
  const cliConfig = join(dir, 'terraform.rc');
  const mirror = `filesystem_mirror {\n    path = ${JSON.stringify(dir)}\n  }`;
  writeFileSync(cliConfig, `provider_installation {\n  ${mirror}\n}\n`);
  return { env: { TF_CLI_CONFIG_FILE: cliConfig, TF_DISABLE_PLUGIN_TLS: '1' } };
}

const END = '.';

/**
 * The script that Terraform starts instead of a provider. It sends its environment to the test process, prints
 * the response, and ends when the connection closes or Terraform ends.
 */
const launcher = (version: string, port: number): string => `#!/bin/bash
exec 3<>/dev/tcp/127.0.0.1/${port}
{ echo '${version}'; env; echo '${END}'; } >&3
IFS= read -r handshake <&3 || exit 1
echo "$handshake"
until read -r -t 1 <&3 || [ $? -le 128 ]; do
  kill -0 "$PPID" || exit
done
`;

/**
 * Serves a provider for each launcher, in this process, until the launcher ends.
 * @param paces additional delays of the providers by version, read at each start
 * @returns the port for the launchers; the caller need not stop anything
 */
function hostProviders(paces: ReadonlyMap<string, Pace>): Promise<number> {
  const server = createServer((socket) => {
    let said = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.endsWith(`\n${END}\n`)) void answer(socket, said.split('\n'), paces);
    });
    socket.on('error', () => undefined);
  });
  server.unref();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}

async function answer(
  socket: Socket,
  [version = '', ...lines]: string[],
  paces: ReadonlyMap<string, Pace>,
): Promise<void> {
  const environment = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  try {
    const ended = (): void => void socket.end();
    const pace = paces.get(version);
    const { handshake, stop } = await serveInstalled(version, environment, ended, pace);
    socket.on('close', () => void stop());
    socket.write(handshake);
  } catch {
    // without credentials, the provider does not start
    socket.destroy();
  }
}
