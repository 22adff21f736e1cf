import { exampleCredentials } from '../../../src/emulator/world';
import { CloudflareHttp } from './http/cloudflare-http';
import { providerOf } from './majors/majors';
import { answersOf } from './provider-answers';
import { serveProvider } from './provider-server';
import { type Major, measuredVersion } from './schema/load-schema';

export interface StartOptions {
  major: Major;
  /** Where the service is, with its path and without a slash at the end. */
  baseUrl: string;
  /** The API token; the one that the emulator accepts if it does not matter. */
  token?: string;
}

export interface RunningProvider {
  /** The value of TF_REATTACH_PROVIDERS. */
  reattach: string;
  /** All that Terraform needs in its environment to use this provider. */
  env: Record<string, string>;
  stop(): Promise<void>;
}

/**
 * Starts the provider inside this process; Terraform attaches to it. One serves many runs, of any
 * number of folders. Versions, lock file and `init` take no notice of it: for these there is the
 * installed one.
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
    retries: 0,
    backoff: 0,
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
    reattach,
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
