import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateStack } from '../src/generate/generate-stack';
import { compare, measureInTurn, type Row, type Run, runOnce, sized } from './measure';

const app = join(__dirname, '../stacks/main.ts');
const loader = join(__dirname, '../node_modules/tsx/dist/loader.mjs');
const manyZones = sized(1000, 3);
const fewZones = sized(100, 2);
const hex = (digit: string, number: number): string =>
  digit + number.toString(16).padStart(31, '0');

/** Creates a folder with the stacks of `count` zones, as `generate` writes them. */
function writeStacks(folder: string, count: number): string {
  const stacks = join(folder, `stacks-${count}`);
  mkdirSync(stacks);
  for (let number = 0; number < count; number += 1) {
    const overrides = Array.from({ length: 12 }, (_, index) => ({
      id: hex('d', index),
      action: 'log',
      enabled: index % 2 === 0,
    }));
    const { resourceFile } = generateStack({
      zone: { id: hex('f', number), name: `zone-${number}.example.com` },
      source: {
        origin: 'live',
        ruleset: {
          id: hex('a', number),
          name: 'default',
          kind: 'zone',
          phase: 'http_request_firewall_managed',
          description: '',
          rules: [
            {
              id: hex('b', number),
              ref: hex('b', number),
              action: 'execute',
              expression: 'true',
              enabled: true,
              fields: {
                action_parameters: {
                  id: hex('e', 1),
                  version: 'latest',
                  overrides: { rules: overrides },
                },
              },
            },
          ],
          fields: {},
        },
      },
      provider: 5,
      format: 'cdktf',
      resourceName: 'managed_rules',
    });
    writeFileSync(join(stacks, resourceFile.path), resourceFile.text);
  }
  return stacks;
}

/** One synth as a process, into a new folder. */
function synth(folder: string, stacks: string, expected: number, only?: string): Run {
  const out = mkdtempSync(join(folder, 'out-'));
  const environment = [
    `STACKS_DIR=${stacks}`,
    `CDKTF_OUTDIR=${out}`,
    `NODE_PATH=${join(__dirname, '../node_modules')}`,
    ...(only === undefined ? [] : [`STACK=${only}`]),
  ];
  const run = runOnce({ argv: ['env', ...environment, process.execPath, '--import', loader, app] });
  const made = readdirSync(join(out, 'stacks')).length;
  if (made !== expected) throw new Error(`${made} stacks instead of ${expected}`);
  rmSync(out, { recursive: true });
  return run;
}

/** One of a thousand zones against an app with one zone, and a thousand against a hundred. */
export function benchSynth(): Row[] {
  const folder = mkdtempSync(join(tmpdir(), 'cf-waf-migrate-synth-'));
  try {
    const one = writeStacks(folder, 1);
    const few = writeStacks(folder, fewZones);
    const many = writeStacks(folder, manyZones);
    const synthFew = () => synth(folder, few, fewZones);
    const synthMany = () => synth(folder, many, manyZones);
    // once beforehand, because tsx caches compiled files
    synthMany();
    const alone = measureInTurn(
      7,
      () => synth(folder, many, 1, 'zone-2_example_com'),
      () => synth(folder, one, 1),
    );
    const growth = measureInTurn(3, synthMany, synthFew);
    const time = ({ milliseconds }: Run): number => milliseconds;
    return [
      compare(`synth one of ${manyZones} zones, against an app of one`, alone, time, 1.3, 'ms'),
      compare(`synth ${manyZones} zones, against ${fewZones}`, growth, time, 11, 'ms'),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
