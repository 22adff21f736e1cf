import { processGroup } from '../../src/terraform/stop-process';

function watched(platform: NodeJS.Platform) {
  const done: unknown[] = [];
  const group = processGroup(platform, {
    kill: (...args) => done.push(['kill', ...args]),
    start: (...args) => done.push(['start', ...args]),
  });
  group.ask({ pid: 4711, kill: () => done.push('asked') > 0 });
  group.end(4711);
  return { detached: group.detached, done };
}

describe('a process with those that it starts', () => {
  it.each(['linux', 'darwin'] as const)('is asked and ended by signals on %s', (platform) => {
    expect(watched(platform)).toEqual({
      detached: true,
      done: ['asked', ['kill', -4711, 'SIGKILL']],
    });
  });

  it('hears the Ctrl-C of the console on Windows, and is ended with its children', () => {
    expect(watched('win32')).toEqual({
      detached: false,
      done: [['start', 'taskkill', ['/pid', '4711', '/T', '/F']]],
    });
  });

  it('has left others when it has gone: they are asked as Ctrl-C would, which providers leave to Terraform', () => {
    const sent: unknown[] = [];
    const kill = (...args: unknown[]) => sent.push(args);
    processGroup('linux', { kill, start: kill }).ask({ pid: 4711, kill: () => false });
    expect(sent).toEqual([[-4711, 'SIGINT']]);
  });

  it('may have ended by itself', () => {
    const gone = (): never => {
      throw new Error('ESRCH');
    };
    expect(() => {
      processGroup('linux', { kill: gone, start: gone }).end(4711);
    }).not.toThrow();
  });
});
