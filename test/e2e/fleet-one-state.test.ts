import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inWorld } from '../support/world';

const ZONES = Number(process.env['FLEET_ZONES'] ?? 60);

it(
  `${ZONES} zones in one state are one plan, one backup, and at most six starts of Terraform`,
  () =>
    inWorld(
      // Terraform takes ten milliseconds for each rule of each plan
      { zones: ZONES, rules: { '100000': 'disable' }, rulesOfEntryPoint: 1, backend: 'http' },
      async ({ lab, zoneIds, rulesetIds, http }) => {
        lab.write('zones.txt', `${zoneIds.join('\n')}\n`);
        const planned = await lab.cli(
          'plan --zones zones.txt --dir . --from 3 --method blocks --out plan.json',
        );
        expect([planned.stderr, planned.code]).toEqual(['', 0]);

        const bin = join(lab.dir, 'bin');
        mkdirSync(bin);
        const script = `#!/bin/sh\necho "$1 $2" >> '${bin}/starts'\nexec terraform "$@"\n`;
        writeFileSync(join(bin, 'terraform'), script, { mode: 0o755 });
        const starts = (): string[] => readFileSync(join(bin, 'starts'), 'utf8').trim().split('\n');

        lab.asked();
        const applied = await lab.cli(
          `apply plan.json --zones zones.txt --json --terraform ${join(bin, 'terraform')} --yes`,
        );
        expect(applied.code).toBe(0);
        expect(JSON.parse(applied.stdout).summary).toMatchObject({ zones: ZONES, done: ZONES });
        expect(starts().length).toBeLessThanOrEqual(6);
        expect(
          lab.asked().filter((line) => !line.startsWith('GET ') || line.includes('/firewall/')),
        ).toEqual([]);
        const kept = readdirSync(join(lab.dir, 'cf-waf-migrate-backup'));
        expect(kept.filter((name) => name.endsWith('.tfstate'))).toHaveLength(1);
        expect(kept.filter((name) => name.endsWith('.journal.jsonl'))).toHaveLength(1);

        const pulled = await lab.terraform('state', 'pull');
        const { resources } = JSON.parse(pulled.stdout);
        const ids = resources.flatMap(({ instances }: any) =>
          instances.map((one: any) => one.attributes.id),
        );
        expect(ids.toSorted()).toEqual(rulesetIds.toSorted());
        expect(http?.writes()).toBe(1);
      },
    ),
  300_000,
);
