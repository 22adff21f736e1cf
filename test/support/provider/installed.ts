import type * as grpc from '@grpc/grpc-js';
import { fromJSON } from '@grpc/proto-loader';
import { setTimeout } from 'node:timers/promises';
import { CloudflareHttp, type HttpSettings } from './http/cloudflare-http';
import { providerOf } from './majors/majors';
import { type ProviderAnswers, answersOf } from './provider-answers';
import { serveProvider } from './provider-server';

/** The gRPC service with which Terraform stops a plug-in. */
const controller = fromJSON({
  nested: {
    plugin: {
      nested: {
        Empty: { fields: {} },
        GRPCController: {
          methods: { Shutdown: { requestType: 'Empty', responseType: 'Empty', comment: '' } },
        },
      },
    },
  },
})['plugin.GRPCController'] as unknown as grpc.ServiceDefinition;

/**
 * Serves a provider like an installed one: the environment configures it, and Terraform stops it.
 * @param ended called when Terraform stops it
 * @param pace its additional delays
 * @returns the handshake for standard output
 * @throws Error if there are no credentials
 */
export async function serveInstalled(
  version: string,
  environment: Record<string, string | undefined>,
  ended: () => void,
  pace?: Pace,
): Promise<{ handshake: string; stop: () => Promise<void> }> {
  const http = new CloudflareHttp(settingsFromEnvironment(environment));
  const answers = answersOf(providerOf(version), http);
  if (pace !== undefined) await setTimeout(pace.start);
  const server = await serveProvider(
    pace === undefined ? answers : paced(answers, pace),
    (added) => {
      added.addService(controller, {
        Shutdown: (_call: unknown, callback: grpc.sendUnaryData<object>) => {
          callback(null, {});
          setImmediate(ended);
        },
      });
    },
  );
  return {
    handshake: `1|6|tcp|127.0.0.1:${server.port}|grpc|\n`,
    stop: () => {
      http.close();
      return server.stop();
    },
  };
}

/**
 * An installed provider reads the API address from the variables of its major. Every major here also reads
 * CLOUDFLARE_BASE_URL, because only that variable can name http.
 *
 * @throws {Error} when there are no credentials
 */
function settingsFromEnvironment(env: Record<string, string | undefined>): HttpSettings {
  const host = env['CLOUDFLARE_API_HOSTNAME'] ?? 'api.cloudflare.com';
  const path = env['CLOUDFLARE_API_BASE_PATH'] ?? '/client/v4';
  const caFile = env['SSL_CERT_FILE'];
  return {
    baseUrl: env['CLOUDFLARE_BASE_URL'] ?? `https://${host}${path}`,
    headers: credentials(env),
    ...(caFile !== undefined && { caFile }),
  };
}

function credentials(env: Record<string, string | undefined>): Record<string, string> {
  const { CLOUDFLARE_API_TOKEN: token, CLOUDFLARE_EMAIL: email, CLOUDFLARE_API_KEY: key } = env;
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  if (email !== undefined && key !== undefined) return { 'x-auth-email': email, 'x-auth-key': key };
  throw new Error('credentials are not set correctly');
}

/** Additional delays of a provider in milliseconds, to be as slow as the real one. */
export interface Pace {
  /** At its start; Terraform starts a provider up to three times in a command. */
  readonly start: number;
  readonly import: number;
  readonly plan: number;
}

/** The answers of a provider with these delays. */
function paced(answers: ProviderAnswers, pace: Pace): ProviderAnswers {
  const later =
    (milliseconds: number, answer: ProviderAnswers[keyof ProviderAnswers]) =>
    async (request: never): Promise<object> => {
      await setTimeout(milliseconds);
      return answer(request);
    };
  return {
    ...answers,
    ImportResourceState: later(pace.import, answers.ImportResourceState),
    PlanResourceChange: later(pace.plan, answers.PlanResourceChange),
  };
}
