import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyPlan } from '../../src/apply/apply-plan';
import { readConfiguration } from '../../src/project/read-configuration';
import { planMigration } from '../../src/plan/plan-migration';
import { type StateFacts } from '../../src/plan/facts';
import {
  declaredZone,
  legacyResource,
  OLD_BLOCKS,
  OTHER_ZONE,
  stateFacts,
} from '../plan/support/state-facts';
import { otherZone } from '../plan/support/shared-module';
import { resource, stateText } from '../support/applied-folder';
import { fakeTerraform } from '../support/fake-terraform';
import { temporaryFolder } from '../support/temporary-folder';

it.each(['a', 'b'])(
  'apply --only edits leaves a file to which two folders have a link while state %s has some of its blocks',
  async (holding) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'shared'));
    const file = join(folder, 'shared/main.tf');
    writeFileSync(file, OLD_BLOCKS);
    const linked = async (dir: string, zoneId: string): Promise<StateFacts> => {
      mkdirSync(join(folder, dir));
      symlinkSync('../shared/main.tf', join(folder, dir, 'main.tf'));
      const held =
        dir === holding ? [{ ...resource('cloudflare_waf_package'), name: 'owasp' }] : [];
      writeFileSync(join(folder, dir, 'state.json'), stateText(1, held));
      return stateFacts({
        ...{ name: dir, dir, lineage: 'l', serial: 1 },
        configuration: await readConfiguration(dir, folder),
        legacyResources: [legacyResource('cloudflare_waf_package.owasp', { zoneId })],
      });
    };
    const states = [await linked('a', declaredZone.zoneId), await linked('b', OTHER_ZONE)];
    const { path } = fakeTerraform(temporaryFolder(), '[ "$2" = pull ] && cat state.json; exit 0');
    const applied = applyPlan({
      plan: planMigration([declaredZone, otherZone], states),
      ...{ folder, only: 'edits', report: () => undefined },
      terraform: { binary: path, environment: { PATH: process.env['PATH'] } },
    });
    await expect(applied).rejects.toMatchObject({
      code: 'CONFIG_EDIT_REFUSED',
      message: expect.stringContaining(`state ${holding} still holds`),
    });
    expect(readFileSync(file, 'utf8')).toBe(OLD_BLOCKS);
  },
);
