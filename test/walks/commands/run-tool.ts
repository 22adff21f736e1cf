import { type Fault, type ToolRun } from '../layer';
import { type World } from '../world';
import { type OutsideFault, type ToolAction } from './tool';

/** Runs the tool with a fault, or twice at the same time, and returns the result of the first run. */
export async function runTool(
  world: World,
  args: string[],
  fault: ToolAction['fault'],
  twice = false,
): Promise<ToolRun> {
  return withOutside(world, fault, async () => {
    const inside = fault !== undefined && !isOutside(fault) ? fault : undefined;
    const [first] = await Promise.all([
      world.cli(args, inside),
      ...(twice ? [world.cli(args)] : []),
    ]);
    return first;
  });
}

function isOutside(fault: Fault | OutsideFault): fault is OutsideFault {
  return ['api', 'locked', 'lock-lost', 'push-refused'].includes(fault.kind);
}

/** Runs a function during a fault of the API or the backend, then restores both. */
async function withOutside<T>(
  world: World,
  fault: ToolAction['fault'],
  run: () => Promise<T>,
): Promise<T> {
  const backends = world.folders.flatMap(({ http }) => http ?? []);
  if (fault?.kind === 'api') world.emulator.setFaults([fault.fault as never]);
  if (fault?.kind === 'locked') {
    for (const one of backends) one.hold('another-run');
    // if Terraform waits for the lock, it gets the lock
    setTimeout(() => {
      for (const one of backends) one.release();
    }, 500);
  }
  if (fault?.kind === 'lock-lost') for (const one of backends) one.loseLock(fault.after);
  if (fault?.kind === 'push-refused') for (const one of backends) one.refusePush(500);
  try {
    return await run();
  } finally {
    world.emulator.setFaults([]);
    for (const one of backends) {
      // also removes the lock of a killed Terraform
      one.release();
      one.refusePush(null);
    }
  }
}

/** A run of the tool as a command line. */
export function lineOf(args: readonly string[], fault: ToolAction['fault']): string {
  const line = ['cf-waf-migrate', ...args].join(' ');
  switch (fault?.kind) {
    case undefined:
      return line;
    case 'kill':
      return `CF_WAF_MIGRATE_KILL_AT=${fault.point} ${line}`;
    case 'interrupt':
      return `timeout -s INT ${fault.after / 1000} ${line}`;
    case 'disk-full':
      return `${line} # with ${fault.kib} KiB left on the disk`;
    default:
      return `${line} # while: ${JSON.stringify(fault)}`;
  }
}
