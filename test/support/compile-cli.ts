import { join } from 'node:path';
import { compile, filesBelow } from './compile';

/** Before the first test: tests find the command line, compiled, in `COMPILED_CLI`. */
export default function compileCli(): void {
  const folder = compile([...filesBelow('src'), 'package.json']);
  process.env['COMPILED_CLI'] = join(folder, 'src/cli/main.js');
}
