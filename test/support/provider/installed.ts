import { setTimeout } from 'node:timers/promises';
import type * as grpc from '@grpc/grpc-js';
import { fromJSON } from '@grpc/proto-loader';
import { CloudflareHttp } from './http/cloudflare-http';
import { majorOf, providerOf } from './majors/majors';
import { type Pace, paced } from './pace';
import { answersOf } from './provider-answers';
import { serveProvider } from './provider-server';
import { settingsFromEnvironment } from './settings-from-environment';

/** What Terraform puts into the environment of a plug-in that it starts. */
const magicCookie = 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2';

/** The service by which Terraform ends a plug-in that it has started. */
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
 * Serves a provider as an installed one is: set up by the environment, and ended by Terraform.
 * @param ended called when Terraform has said so
 * @param pace how much longer it is to take; no longer than it needs, unless told
 * @returns what Terraform is told on standard output
 * @throws Error where there are no credentials
 */
export async function serveInstalled(
  version: string,
  environment: Record<string, string | undefined>,
  ended: () => void,
  pace?: Pace,
): Promise<{ handshake: string; stop: () => Promise<void> }> {
  const http = new CloudflareHttp(settingsFromEnvironment(majorOf(version), environment));
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

/** Runs as the provider of a version that Terraform has started, until Terraform ends it. */
export async function runInstalled(version: string): Promise<void> {
  if (process.env['TF_PLUGIN_MAGIC_COOKIE'] !== magicCookie) {
    process.stderr.write('This binary is a plugin. It is started by Terraform.\n');
    process.exitCode = 1;
    return;
  }
  const { handshake } = await serveInstalled(version, process.env, () => process.exit(0));
  process.stdout.write(handshake);
  // Terraform may die without a word.
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(0);
  }, 1000);
}
