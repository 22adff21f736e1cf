import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CliRun, runCli } from './run-cli';
import { inWorld, type World } from './world';

/** A world whose zones lie in the states of several Terraform folders. */
export interface FleetOfStates {
  world: World;
  /** The folders, relative to that of the lab. */
  dirs: string[];
  /** Runs a command line in the folder of the lab. */
  cli: (args: string[]) => Promise<CliRun>;
}

/**
 * Makes a folder with a state of its own for each entry, with so many zones. `zones.csv` lists all.
 * @param sizes zones of each state
 */
export function inFleetOfStates(
  sizes: number[],
  use: (fleet: FleetOfStates) => Promise<void>,
): Promise<void> {
  const zones = sizes.reduce((sum, one) => sum + one, 0);
  return inWorld({ zones, rules: { '100000': 'disable' } }, async (world) => {
    const { lab, zoneIds, resources } = world;
    const state = JSON.parse(world.state);
    const lines = ['# our zones', 'zone_id,dir,owner'];
    const dirs = sizes.map((size, at) => {
      const first = sizes.slice(0, at).reduce((sum, one) => sum + one, 0);
      const own = new Set(zoneIds.slice(first, first + size));
      const isOwn = ({ attributes }: { attributes: Record<string, unknown> }): boolean =>
        own.has(String(attributes['zone_id']));
      const dir = `infra/${at}`;
      const folder = join(lab.dir, dir);
      mkdirSync(folder, { recursive: true });
      const blocks = resources.filter(isOwn).map(({ block }) => block);
      const entries = state.resources.filter((one: any) => isOwn(one.instances[0]));
      const lineage = `5c9b2d9e-0000-4000-8000-${String(at).padStart(12, '0')}`;
      const write = (name: string, text: string) => {
        writeFileSync(join(folder, name), text);
      };
      write('provider.tf', lab.read('provider.tf'));
      write('main.tf', blocks.join('\n'));
      write('terraform.tfstate', JSON.stringify({ ...state, lineage, resources: entries }));
      for (const id of own) lines.push(`${id},${dir},team ${at}`);
      return dir;
    });
    lab.write('zones.csv', `${lines.join('\n')}\n`);
    const cli = (args: string[]) => runCli(args, { cwd: lab.dir, environment: lab.environment });
    await use({ world, dirs, cli });
  });
}
