import * as grpc from '@grpc/grpc-js';
import { fromJSON } from '@grpc/proto-loader';
import { protocolDescriptor } from './protocol/descriptor';
import { type ProviderAnswers } from './provider-answers';

type Call = grpc.ServerUnaryCall<unknown, object>;
type Callback = grpc.sendUnaryData<object>;

/** A gRPC server that speaks plugin protocol 6. */
export interface ProviderServer {
  port: number;
  stop(): Promise<void>;
}

const service = fromJSON(protocolDescriptor(), {
  keepCase: true,
  longs: Number,
  enums: Number,
  defaults: true,
})['tfplugin6.Provider'] as unknown as grpc.ServiceDefinition;

/** Listens on a free port of this machine, without TLS. */
export async function serveProvider(
  answers: ProviderAnswers,
  extra: (server: grpc.Server) => void = () => undefined,
): Promise<ProviderServer> {
  const server = new grpc.Server({
    'grpc.max_receive_message_length': 256 << 20,
    'grpc.max_send_message_length': 256 << 20,
  });
  server.addService(service, handlers(answers));
  extra(server);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, bound) => {
      if (error) reject(error);
      else resolve(bound);
    });
  });
  return {
    port,
    stop: () =>
      new Promise((resolve) => {
        server.forceShutdown();
        resolve();
      }),
  };
}

function handlers(answers: ProviderAnswers): grpc.UntypedServiceImplementation {
  const wrap =
    (answer: (request: never) => Promise<object> | object) => (call: Call, callback: Callback) => {
      Promise.resolve()
        .then(() => answer(call.request as never))
        .then(
          (response) => {
            callback(null, response);
          },
          (error: unknown) => {
            // A bug of the test provider, not of the emulated one: Terraform shows it completely.
            callback({
              code: grpc.status.INTERNAL,
              details: error instanceof Error ? (error.stack ?? error.message) : String(error),
            });
          },
        );
    };
  return Object.fromEntries(Object.entries(answers).map(([name, answer]) => [name, wrap(answer)]));
}
