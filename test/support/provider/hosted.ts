import { createServer, type Socket } from 'node:net';
import { serveInstalled, type Pace } from './installed';

/** The end of the launcher's message. */
const END = '.';

/**
 * The script that Terraform starts instead of a provider. It sends its environment to the test process, prints
 * the response, and ends when the connection closes or Terraform ends.
 */
export const launcher = (version: string, port: number): string => `#!/bin/bash
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
export function hostProviders(paces: ReadonlyMap<string, Pace>): Promise<number> {
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
