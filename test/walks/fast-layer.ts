import childProcess from 'node:child_process';
import { EventEmitter } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { runCli } from '../support/run-cli';
import { fastTerraform } from './fast-terraform';
import { type Fault, type Layer } from './layer';

/** Thrown to leave the tool at the point of a kill. */
class Killed extends Error {}

/** An unused process id. Higher ones are unused too. */
const GONE = 2 ** 30;

/**
 * Runs the tool and Terraform in this process. A kill throws at its point, and the folder is then restored to its
 * content at that point.
 */
export function fastLayer(): Layer {
  let fault: Fault | undefined;
  const started = new Set<Promise<void>>();
  const { execFile, spawn } = childProcess;
  // the worlds are not git repositories, so the output of git is known
  childProcess.execFile = ((...given: unknown[]) => {
    const told = given.at(-1) as (error: null, stdout: string, stderr: string) => void;
    setImmediate(() => {
      told(null, '', '');
    });
  }) as typeof execFile;
  childProcess.spawn = ((
    file: string,
    args: string[],
    options: { cwd: string; env: Record<string, string> },
  ) =>
    basename(file) === 'terraform'
      ? start(args, options)
      : spawn(file, args, options)) as typeof spawn;

  function start(
    args: string[],
    { cwd, env }: { cwd: string; env: Record<string, string> },
  ): object {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const child = Object.assign(new EventEmitter(), {
      ...{ stdout, stderr, pid: GONE + 1, exitCode: null, signalCode: null },
      kill: () => true,
    });
    const isKilled =
      fault?.kind === 'terraform-killed' && args.slice(0, 2).join(' ').startsWith(fault.at);
    const isBefore = fault?.kind === 'terraform-killed' && fault.when === 'before';
    if (isKilled) fault = undefined;
    const run = async (): Promise<void> => {
      const ran =
        isKilled && isBefore
          ? { code: -1, stdout: '', stderr: '' }
          : await fastTerraform(args, cwd, env);
      stdout.end(ran.stdout);
      stderr.end(ran.stderr);
      const code = isKilled ? null : ran.code;
      Object.assign(child, isKilled ? { signalCode: 'SIGKILL' } : { exitCode: code });
      child.emit('exit', code);
      // the tool destroys streams that it stops reading
      for (const one of [stdout, stderr]) await finished(one).catch(() => undefined);
      child.emit('close', code);
    };
    const running = run().finally(() => started.delete(running));
    started.add(running);
    return child;
  }

  return {
    environment: {},
    init: async (dir, environment) => {
      const { code, stderr } = await fastTerraform(['init'], dir, environment);
      if (code !== 0) throw new Error(stderr);
    },
    terraform: (dir, args, environment) => fastTerraform(args, dir, environment),
    cli: async (args, { cwd, environment }, given) => {
      fault = given;
      let atKill: Map<string, Buffer> | undefined;
      const stop = new AbortController();
      const interrupt = (): void => {
        stop.abort();
      };
      if (given?.kind === 'interrupt') setTimeout(interrupt, given.after / 20).unref();
      const ran = await runCli(args, {
        cwd,
        environment,
        interrupted: stop.signal,
        fault: (point) => {
          if (atKill === undefined && (given?.kind !== 'kill' || given.point !== point)) return;
          // other plans of a list must not continue after the kill: a remote state is not restored
          atKill ??= contents(cwd);
          throw new Killed();
        },
      });
      // Terraform continues after the tool is killed
      await Promise.all(started);
      fault = undefined;
      if (atKill !== undefined) restore(cwd, atKill);
      return { ...ran, killed: atKill !== undefined };
    },
    close: () => {
      Object.assign(childProcess, { execFile, spawn });
    },
  };
}

function contents(root: string): Map<string, Buffer> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  return new Map(
    files.map((one) => join(one.parentPath, one.name)).map((path) => [path, readFileSync(path)]),
  );
}

/** Replaces the process ids in locks, so that their owner no longer exists. */
function restore(root: string, before: Map<string, Buffer>): void {
  const now = contents(root);
  for (const path of now.keys()) if (!before.has(path)) rmSync(path);
  for (const [path, bytes] of before) {
    const text = path.endsWith('.lock')
      ? bytes.toString('utf8').replace(/"pid":\d+/, `"pid":${GONE}`)
      : bytes;
    // a rollback takes the order of runs from the times of their journals
    if (now.get(path)?.equals(Buffer.from(text))) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
