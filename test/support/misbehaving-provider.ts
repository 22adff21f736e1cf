import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { posixQuote } from '../../src/core/posix-quote';
import { type Lab } from './lab';
import { buildHostedMirror, buildMirror, type Mirror } from './provider/mirror';

/** What a provider does at its next request to the service: ends, is killed, or takes two seconds. */
type Misbehaviour = 'exit' | 'kill' | 'wait';

const marker = 'misbehave';

/** Runs in the provider, before anything else: Terraform starts it in the folder of the configuration. */
const prelude = `const http = require('node:http');
const { existsSync, readFileSync, unlinkSync } = require('node:fs');
const request = http.request;
http.request = (...args) => {
  if (existsSync('${marker}')) {
    const how = readFileSync('${marker}', 'utf8');
    unlinkSync('${marker}');
    if (how === 'exit') process.exit(1);
    if (how === 'kill') process.kill(process.pid, 'SIGKILL');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000);
  }
  return request(...args);
};
`;

/**
 * Builds a mirror below a folder whose providers can misbehave: then Terraform has a process of its own to deal
 * with; those that behave are answered for from this one, which is quicker.
 */
export async function buildFragileMirror(dir: string, versions: string[]): Promise<Mirror> {
  const [real, quick] = [join(dir, 'real'), join(dir, 'quick')];
  buildMirror(real, versions);
  const mirror = await buildHostedMirror(quick, versions);
  for (const file of readdirSync(quick, { recursive: true, encoding: 'utf8' })) {
    if (!/terraform-provider-cloudflare_v[\d.]+$/.test(file)) continue;
    insert(join(real, file), prelude);
    insert(join(quick, file), `[ -e ${marker} ] && exec ${posixQuote(join(real, file))} "$@"\n`);
  }
  return mirror;
}

/** Behind the first line, which says what runs a file. */
function insert(path: string, lines: string): void {
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace('\n', () => `\n${lines}`),
  );
}

/** Lets the provider misbehave at its next request, once; gives whether it has. */
export function misbehave(lab: Lab, how: Misbehaviour): () => boolean {
  lab.write(marker, how);
  return () => lab.read(marker) === '';
}
