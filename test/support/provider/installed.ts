import type * as grpc from '@grpc/grpc-js';
import { fromJSON } from '@grpc/proto-loader';
import { CloudflareHttp } from './http/cloudflare-http';
import { majorOf, providerOf } from './majors/majors';
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

/** Runs as the provider of a version that Terraform has started, until Terraform ends it. */
export async function runInstalled(version: string): Promise<void> {
  if (process.env['TF_PLUGIN_MAGIC_COOKIE'] !== magicCookie) {
    process.stderr.write('This binary is a plugin. It is started by Terraform.\n');
    process.exitCode = 1;
    return;
  }
  const http = new CloudflareHttp(settingsFromEnvironment(majorOf(version), process.env));
  const { port } = await serveProvider(answersOf(providerOf(version), http), (server) => {
    server.addService(controller, {
      Shutdown: (_call: unknown, callback: grpc.sendUnaryData<object>) => {
        callback(null, {});
        setImmediate(() => process.exit(0));
      },
    });
  });
  process.stdout.write(`1|6|tcp|127.0.0.1:${port}|grpc|\n`);
  // Terraform may die without a word.
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(0);
  }, 1000);
}
