import { type CliCommand } from '../command';
import { isSilent } from '../notify';

/** `demo`: the whole way against the emulator. */
export const demoCommand: CliCommand<{ out: string }> = {
  name: 'demo',
  summary: 'the whole way, on this machine, without an account',
  example: 'demo --out demo-output',
  define: (command) =>
    command.option('--out <dir>', 'folder for what the demo writes', 'demo-output'),
  run: async (options, context) => {
    const { runDemo } = await import('../demo/run-demo');
    const files = await runDemo(options.out, context, (...lines) => {
      if (!isSilent(options)) context.stdout(`${lines.join('\n')}\n`);
    });
    return { json: { files }, text: '', ...(options.json ? {} : { document: '' }), exitCode: 0 };
  },
};
