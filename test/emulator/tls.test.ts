import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:https';
import { startEmulator } from '../../src/emulator/emulator';
import { emulate } from './support/with-emulator';

const statusOf = (url: string, token: string, ca?: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const options = { headers: { authorization: `Bearer ${token}` }, ...(ca ? { ca } : {}) };
    request(`${url}/zones`, options, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });

describe('the emulator with TLS', () => {
  it('is trusted only with its certificate', async () => {
    const emulator = await startEmulator({ tls: true });
    const { baseUrl, credentials, certificatePath, environment } = emulator;
    try {
      expect(baseUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/client\/v4$/);
      const certificate = readFileSync(certificatePath!, 'utf8');
      expect(await statusOf(baseUrl, credentials.token, certificate)).toBe(200);
      const parsed = new X509Certificate(certificate);
      expect(parsed.subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1');
      expect([parsed.ca, parsed.checkIssued(parsed), parsed.verify(parsed.publicKey)]).toEqual([
        true,
        true,
        true,
      ]);
      const days = [parsed.validFrom, parsed.validTo].map((date) =>
        Math.round((Date.parse(date) - Date.now()) / 86_400_000),
      );
      expect(days).toEqual([-1, 7]);
      await expect(statusOf(baseUrl, credentials.token)).rejects.toThrow(/self-signed/);
      expect(environment).toEqual({
        CLOUDFLARE_API_TOKEN: credentials.token,
        SSL_CERT_FILE: certificatePath,
        // provider 5
        CLOUDFLARE_BASE_URL: baseUrl,
        // provider 3 and 4
        CLOUDFLARE_API_HOSTNAME: new URL(baseUrl).host,
        CLOUDFLARE_API_BASE_PATH: '/client/v4',
      });
    } finally {
      await emulator.stop();
    }
    expect(existsSync(certificatePath!)).toBe(false);
    await expect(statusOf(baseUrl, credentials.token)).rejects.toThrow('ECONNREFUSED');
  });

  it('answers no client without TLS', async () => {
    const [, { baseUrl }] = await emulate({ tls: true });
    await expect(fetch(baseUrl.replace('https:', 'http:'))).rejects.toThrow();
  });
});
