import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Lab } from './lab';

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

/** Makes the providers of a mirror able to misbehave, before they are installed. */
export function teachMisbehaviour(mirror: string): void {
  for (const file of readdirSync(mirror, { recursive: true, encoding: 'utf8' })) {
    if (!/terraform-provider-cloudflare_v[\d.]+$/.test(file)) continue;
    const path = join(mirror, file);
    writeFileSync(path, readFileSync(path, 'utf8').replace('\n', `\n${prelude}`));
  }
}

/** Lets the provider misbehave at its next request, once; gives whether it has. */
export function misbehave(lab: Lab, how: Misbehaviour): () => boolean {
  lab.write(marker, how);
  return () => lab.read(marker) === '';
}
