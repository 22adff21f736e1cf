import { exampleCredentials } from '../../../src/emulator/world';
import { CloudflareHttp } from './http/cloudflare-http';
import { providerOf } from './majors/majors';
import { answersOf } from './provider-answers';
import { serveProvider } from './provider-server';
import { type Major, measuredVersion } from './schema/load-schema';

export interface StartOptions {
  major: Major;
  /** The address of the API, with its path and without a slash at the end. */
  baseUrl: string;
  /** The API token; the one that the emulator accepts if it does not matter. */
  token?: string;
}

export interface RunningProvider {
  env: Record<string, string>;
  stop(): Promise<void>;
}

/**
 * Starts the provider inside this process; Terraform attaches to it. It serves many runs in many folders. Tests
 * of versions, lock file and `init` need the installed provider.
 *
 * @example
 * const provider = await startProvider({ major: 5, baseUrl: emulator.baseUrl });
 * await terraform(dir, ['plan'], provider.env);
 */
export async function startProvider(options: StartOptions): Promise<RunningProvider> {
  const token = options.token ?? exampleCredentials.token;
  const http = new CloudflareHttp({
    baseUrl: options.baseUrl,
    headers: { authorization: `Bearer ${token}` },
  });
  const provider = providerOf(measuredVersion[options.major]);
  const server = await serveProvider(answersOf(provider, http));
  const reattach = JSON.stringify({
    'cloudflare/cloudflare': {
      Protocol: 'grpc',
      ProtocolVersion: 6,
      Pid: process.pid,
      Test: true,
      Addr: { Network: 'tcp', String: `127.0.0.1:${server.port}` },
    },
  });
  return {
    env: {
      TF_REATTACH_PROVIDERS: reattach,
      CLOUDFLARE_BASE_URL: options.baseUrl,
      CLOUDFLARE_API_TOKEN: token,
    },
    stop: async () => {
      http.close();
      await server.stop();
    },
  };
}
