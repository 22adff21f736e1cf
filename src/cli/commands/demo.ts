import { type CliCommand } from '../command';
import { runDemo } from '../demo/run-demo';
import { isSilent } from '../notify';

/** `demo`: the whole way against the emulator. */
export const demoCommand: CliCommand<{ out: string }> = {
  example: 'demo --out demo-output',
  define: (command) =>
    command.option('--out <dir>', 'folder for what the demo writes', 'demo-output'),
  run: async (options, context) => {
    const files = await runDemo(options.out, context, (...lines) => {
      if (!isSilent(options)) context.stdout(`${lines.join('\n')}\n`);
    });
    return { json: { files }, text: '', ...(options.json ? {} : { document: '' }), exitCode: 0 };
  },
};
