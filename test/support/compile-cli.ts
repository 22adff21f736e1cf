import { compile, filesBelow } from './compile';

/** Before the first test: tests find the command line, compiled, in `COMPILED_CLI`. */
export default function compileCli(): void {
  process.env['COMPILED_CLI'] = compile({
    entry: 'src/cli/main.ts',
    outfile: 'dist/cli/main.js',
    sources: filesBelow('src'),
    copied: ['package.json'],
    packages: 'external',
  });
}
