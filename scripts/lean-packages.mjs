// Of packages what the command line uses, and nothing else: all of undici and zod takes three times as long to load.
import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What is taken of undici: the client, and where a proxy is, what asks it for tunnels as well. */
const leanUndici = {
  client: "export { default as Agent } from './lib/dispatcher/agent.js';",
  proxy: `
import Dispatcher from './lib/dispatcher/dispatcher.js';
import connect from './lib/api/api-connect.js';
Dispatcher.prototype.connect = connect;
export { default as EnvHttpProxyAgent } from './lib/dispatcher/env-http-proxy-agent.js';`,
};

/**
 * What undici and commander ask of Node, without loading it: that takes longer than to connect. The most bytes of
 * headers are Node's default, whatever `--max-http-header-size` says: answers of the service have some two thousand.
 */
const slim = {
  'node:assert': `
module.exports = (value, message) => {
  if (!value) require('node:assert')(value, message);
};`,
  'node:child_process': 'module.exports = {};',
  'node:http': 'module.exports = { maxHeaderSize: 16384, IncomingMessage: class {} };',
};

/** The plugin of esbuild. */
export const lean = {
  name: 'lean',
  setup({ onResolve, onLoad }) {
    // what else the sources import of it one day is an error of this build
    onResolve({ filter: /^undici$/ }, ({ importer }) => {
      const path = importer.endsWith('proxy-agent.ts') ? 'proxy' : 'client';
      return { path, namespace: 'lean' };
    });
    onLoad({ filter: /^(client|proxy)$/, namespace: 'lean' }, ({ path }) => ({
      contents: leanUndici[path],
      resolveDir: join(root, 'node_modules/undici'),
    }));
    // for bodies that are forms or streams: ours are texts
    onResolve({ filter: /\/web\/fetch\/body\.js$/ }, () => ({
      path: 'undici/lib/web/fetch/body.js',
      external: true,
    }));
    // of Node's client it takes a number and the name of a class; an assertion is told by Node where it fails
    onResolve({ filter: /^node:(assert|http|child_process)$/ }, ({ path, importer }) =>
      /[\\/](undici|commander)[\\/]/.test(importer) ? { path, namespace: 'slim' } : undefined,
    );
    onLoad({ filter: /^node:/, namespace: 'slim' }, ({ path }) => ({ contents: slim[path] }));
    // of a server that offers it the client takes no HTTP/2 either (src/cloudflare/client.ts)
    onLoad({ filter: /undici[\\/]lib[\\/]dispatcher[\\/]client-h2\.js$/ }, () => ({
      contents: "module.exports = () => { throw new Error('HTTP/2 was not allowed'); };",
    }));
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8')
        // of a namespace that is named as one, what is not used can be left out
        .replace(/^import \{ z \} from 'zod';$/m, "import * as z from 'zod';")
        // what exports nothing is taken for CommonJS here, and all that it leads to is wrapped up
        .concat('export {};'),
      loader: 'ts',
    }));
    // most commands do not need it: it stays the file of the library
    onResolve({ filter: /\.json$/ }, ({ path, resolveDir }) => {
      const place = relative(join(root, 'src'), join(resolveDir, path)).replaceAll(sep, '/');
      return place.startsWith('translate/') ? { path: `../${place}`, external: true } : undefined;
    });
  },
};
