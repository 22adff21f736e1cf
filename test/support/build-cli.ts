import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Before the first test: the command line is built from the sources as they are, and then it is the one that is shipped. */
export default function buildCli(): void {
  execFileSync(process.execPath, [join(__dirname, '../../scripts/build.mjs')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
