import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';

/** One ruleset over HTTP, until the emulator is there. */
export async function startFakeService(entryPoint: { result: { id: string; rules: object[] } }) {
  const server = createServer((request, response) => {
    const found = request.url?.endsWith(`/rulesets/${entryPoint.result.id}`) === true;
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(
        found
          ? entryPoint
          : { success: false, errors: [{ code: 10003, message: 'could not find ruleset' }] },
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
