import { createServer } from 'node:http';
import { connect } from 'node:net';
import { listen } from './listen';

export interface ProxyServer {
  readonly host: string;
  /** The requested tunnels, with the credentials that were sent. */
  readonly asked: { to: string; authorization: string | undefined }[];
  close(): Promise<void>;
}

/** A proxy on the loopback address that connects each tunnel to a local port, or refuses it with a status. */
export async function startProxyServer(
  answer: { port: number } | { status: number },
): Promise<ProxyServer> {
  const asked: ProxyServer['asked'] = [];
  const server = createServer();
  server.on('connect', ({ url = '', headers }, socket) => {
    asked.push({ to: url, authorization: headers['proxy-authorization'] });
    // the client may have disconnected
    socket.on('error', () => socket.destroy());
    if ('status' in answer) {
      socket.end(`HTTP/1.1 ${answer.status} Refused\r\n\r\n`);
      return;
    }
    const target = connect(answer.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    target.on('error', () => socket.destroy());
  });
  const { port, close } = await listen(server);
  return { host: `127.0.0.1:${port}`, asked, close };
}
