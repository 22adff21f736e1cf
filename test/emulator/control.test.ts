import { withEmulator } from './support/with-emulator';

describe('the control path', () => {
  const control = (baseUrl: string, path: string) => `${new URL(baseUrl).origin}/_emulator${path}`;

  it('is not there unless it was asked for', async () => {
    await withEmulator({}, async (_call, { baseUrl, credentials }) => {
      const headers = { authorization: `Bearer ${credentials.token}` };
      const answer = await fetch(control(baseUrl, '/requests'), { headers });
      expect(answer.status).toBe(404);
    });
  });

  it('shows and clears the request log, and is not in it', async () => {
    await withEmulator({ control: true }, async (call, { baseUrl, credentials }) => {
      const headers = { authorization: `Bearer ${credentials.token}` };
      await call('GET', '/zones');
      const read = async () => {
        const answer = await fetch(control(baseUrl, '/requests'), { headers });
        return ((await answer.json()) as { result: unknown }).result;
      };
      expect(await read()).toMatchObject([{ method: 'GET', path: '/zones', status: 200 }]);
      await fetch(control(baseUrl, '/requests'), { method: 'DELETE', headers });
      expect(await read()).toEqual([]);
    });
  });

  it('sets and clears faults, and meets none itself', async () => {
    await withEmulator({ control: true }, async (call, { baseUrl, credentials }) => {
      const headers = { authorization: `Bearer ${credentials.token}` };
      const url = control(baseUrl, '/faults');
      const set = await fetch(url, {
        method: 'PUT',
        headers,
        body: JSON.stringify([{ kind: 'status', status: 500 }]),
      });
      expect(await set.json()).toMatchObject({ success: true, result: [{ kind: 'status' }] });
      expect((await call('GET', '/zones')).status).toBe(500);
      const wrong = await fetch(url, { method: 'PUT', headers, body: '[{"kind":"x"}]' });
      expect(wrong.status).toBe(400);
      expect((await call('GET', '/zones')).status).toBe(500);
      await fetch(url, { method: 'DELETE', headers });
      expect((await call('GET', '/zones')).status).toBe(200);
    });
  });

  it('wants the same credentials as the service', async () => {
    await withEmulator({ control: true }, async (_call, { baseUrl }) => {
      expect((await fetch(control(baseUrl, '/requests'))).status).toBe(400);
    });
  });
});
