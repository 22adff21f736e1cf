import { attempt } from '../../../src/core/migration-error';
import fc from 'fast-check';
import { digestOf } from '../../../src/plan/plan-schema';
import { type Model } from '../model';
import { doManualStep } from './manual-step';
import {
  entriesOf,
  instancesOf,
  isTorn,
  type Snapshot,
  type World,
  type WorldSpec,
} from '../world';

/** Edits of a saved plan. */
const planEdits = {
  'drop the backup': (plan: any) => {
    plan.steps = plan.steps.filter(({ kind }: any) => kind !== 'backup');
  },
  'drop the checks': (plan: any) => {
    plan.steps = plan.steps.filter(({ kind }: any) => kind !== 'check');
  },
  'remove first': (plan: any) => {
    plan.steps.sort(
      (one: any, other: any) => Number(other.kind === 'remove') - Number(one.kind === 'remove'),
    );
  },
  'keep one resource': (plan: any) => {
    const kept = plan.steps.find(({ kind }: any) => kind === 'remove')?.addresses.at(-1);
    for (const { addresses = [], runs = [], expects = {} } of plan.steps)
      for (const list of [addresses, expects.gone ?? [], ...runs.map(({ argv }: any) => argv)])
        if (list.length > 1 && list.includes(kept)) list.splice(list.indexOf(kept), 1);
  },
  'name another ruleset': (plan: any) => {
    for (const step of plan.steps)
      if (step.importId) step.importId = step.importId.replace(/.$/, '0');
  },
};

/** Actions of the user between two runs of the tool. */
export type UserAction =
  | { do: 'delete a block'; at: number }
  | { do: 'revert with git' }
  | { do: 'terraform apply'; folder: number }
  | { do: 'upgrade the provider'; version: WorldSpec['provider'] }
  | { do: 'import by hand'; zone: number }
  | { do: 'edit plan.json'; how: keyof typeof planEdits; digest: boolean }
  | { do: 'change the live ruleset'; zone: number }
  | { do: 'add a zone'; folder: number }
  | { do: 'put the last whole state back' }
  | { do: 'do the manual step' };

/** Actions that the tool proposes, so that the tool is responsible for their result. */
export const TOLD: ReadonlySet<string> = new Set([
  'put the last whole state back',
  'do the manual step',
]);

/** All actions of the user in a walk. */
export const userActions: fc.Arbitrary<UserAction> = fc.oneof(
  fc.nat(5).map((at): UserAction => ({ do: 'delete a block', at })),
  fc.constant<UserAction>({ do: 'revert with git' }),
  fc.nat(2).map((folder): UserAction => ({ do: 'terraform apply', folder })),
  fc
    .constantFrom<WorldSpec['provider'][]>('3.35.0', '4.52.8', '5.22.0')
    .map((version): UserAction => ({ do: 'upgrade the provider', version })),
  fc.nat(2).map((zone): UserAction => ({ do: 'import by hand', zone })),
  fc
    .record({
      how: fc.constantFrom(...(Object.keys(planEdits) as (keyof typeof planEdits)[])),
      digest: fc.boolean(),
    })
    .map(({ how, digest }): UserAction => ({ do: 'edit plan.json', how, digest })),
  fc.nat(2).map((zone): UserAction => ({ do: 'change the live ruleset', zone })),
  fc.nat(2).map((folder): UserAction => ({ do: 'add a zone', folder })),
  fc.constant<UserAction>({ do: 'put the last whole state back' }),
  { arbitrary: fc.constant<UserAction>({ do: 'do the manual step' }), weight: 3 },
);

/** Actions of the user in a walk over a list. */
export const listActions: fc.Arbitrary<UserAction> = fc.oneof(
  fc.nat(2).map((folder): UserAction => ({ do: 'terraform apply', folder })),
  fc.nat(2).map((zone): UserAction => ({ do: 'import by hand', zone })),
);

/** Performs an action. Returns the lines of the log. */
export async function act(
  action: UserAction,
  world: World,
  model: Model,
  start: Snapshot,
): Promise<string[]> {
  const { folders, zones } = world;
  const folderAt = (at: number) => folders[at % folders.length]!;
  const inFolder = (dir: string, line: string) => `(cd ${dir} && ${line})`;
  switch (action.do) {
    case 'delete a block': {
      const files = Object.entries(world.look().files).filter(([name]) =>
        /zone_\d+\.tf$/.test(name),
      );
      const blocks = files.flatMap(([name, text]) =>
        [...text.matchAll(/^resource [^]*?^}\n/gm)].map(([block]) => ({ name, block })),
      );
      const chosen = blocks[action.at % Math.max(1, blocks.length)];
      if (chosen === undefined) return [];
      world.write(chosen.name, world.read(chosen.name).replace(chosen.block, ''));
      noteDeleted(model, chosen.block);
      return [`# delete this block of ${chosen.name}: ${chosen.block.split('\n')[0] ?? ''}`];
    }
    case 'revert with git':
      for (const name of Object.keys(world.look().files)) {
        noteDeleted(model, world.read(name), start.files[name]);
        if (!(name in start.files)) world.remove(name);
      }
      for (const [name, text] of Object.entries(start.files)) world.write(name, text);
      for (const folder of folders) {
        folder.version = world.spec.provider;
        // declarations since the start no longer exist
        for (const [address, { type }] of instancesOf(world.stateText(folder)))
          if (type === 'cloudflare_ruleset') model.byUser.add(address);
      }
      return [
        'git checkout . && git clean -fdx -e .terraform -e "*.tfstate" -e plan.json -e cf-waf-migrate-backup',
      ];
    case 'terraform apply': {
      const folder = folderAt(action.folder);
      await world.terraform(folder, 'apply -auto-approve -input=false -no-color');
      return [inFolder(folder.dir, 'terraform apply -auto-approve')];
    }
    case 'upgrade the provider':
      for (const folder of folders) {
        world.require(folder, action.version);
        await world.terraform(folder, 'init -upgrade -input=false -no-color');
      }
      return [
        `sed -i 's/version = ".*"/version = "${action.version}"/' $(find . -name provider.tf) && terraform init -upgrade`,
      ];
    case 'import by hand': {
      const zone = zones[action.zone % zones.length]!;
      const folder = folders.find((one) => one.zones.includes(zone)) ?? folderAt(0);
      const address = /resource "cloudflare_ruleset" "(\w+)"/.exec(
        Object.values(world.look().files).join('\n'),
      )?.[1];
      if (address === undefined || zone.stage !== 'migrated') return [];
      const level = folder.version.startsWith('5') ? 'zones' : 'zone';
      const id = `${level}/${zone.id}/${zone.rulesets[0]?.id}`;
      const line = `import cloudflare_ruleset.${address} ${id}`;
      await world.terraform(folder, line);
      return [inFolder(folder.dir, `terraform ${line}`)];
    }
    case 'edit plan.json': {
      if (model.plan === null) return [];
      const plan = JSON.parse(world.read(world.planFile));
      const present = JSON.stringify(plan);
      planEdits[action.how](plan);
      if (JSON.stringify(plan) === present) return [];
      // the tool can write a plan that keeps one resource, or has no checks because others stay
      if (action.digest && !['keep one resource', 'drop the checks'].includes(action.how))
        plan.digest = digestOf(plan);
      world.write(world.planFile, `${JSON.stringify(plan, null, 2)}\n`);
      model.isEdited = true;
      return [`# edit plan.json: ${action.how}${action.digest ? ', and its digest' : ''}`];
    }
    case 'change the live ruleset': {
      const zone = zones[action.zone % zones.length]!;
      if (zone.stage !== 'migrated') return [];
      const rule = {
        action: 'execute',
        expression: 'true',
        action_parameters: { id: 'efb7b8c949ac4650a09736fc376e9aee' },
      };
      const path = `/zones/${zone.id}/rulesets/${zone.rulesets[0]?.id}`;
      const body = { rules: [rule] };
      await world.api('PUT', path, body);
      return [`curl -X PUT "$CLOUDFLARE_BASE_URL${path}" -d '${JSON.stringify(body)}'`];
    }
    case 'add a zone': {
      const folder = folderAt(action.folder);
      const zone = zones.at(-1)!;
      if (folders.some((one) => one.zones.includes(zone)) || isTorn(world.stateText(folder)))
        return [];
      folder.zones.push(zone);
      world.declare(folder, zone);
      world.putState(folder, (state) => state.resources.push(...entriesOf(folder, zone)));
      return [`# declare zone ${zone.id} in ${folder.dir}, and apply`];
    }
    case 'do the manual step':
      return doManualStep(world, model);
    case 'put the last whole state back':
      return folders
        .filter((folder) => isTorn(world.stateText(folder)))
        .flatMap((folder) => {
          const backup = world.lastBackup(folder);
          if (backup === undefined) return [];
          world.storeState(folder, backup);
          return [`# put the backup in place of the state in ${folder.dir}`];
        });
  }
}

/** Terraform plans to destroy the resources of these blocks, even if it cannot plan now. */
function noteDeleted(model: Model, text: string, left = ''): void {
  const kept = blockNames(left);
  for (const name of blockNames(text)) if (!kept.includes(name)) model.deleted.add(name);
}

/** The resource blocks of a file in HCL or JSON, as `cloudflare_waf_rule.name`. */
function blockNames(text: string): string[] {
  if (!text.startsWith('{'))
    return [...text.matchAll(/^resource "(\w+)" "(\w+)"/gm)].map(
      ([, type, name]) => `${type}.${name}`,
    );
  // a part file of a killed edit is not complete
  const document = attempt((): { resource?: Record<string, object> } => JSON.parse(text));
  const { resource = {} } = document ?? {};
  return Object.entries(resource).flatMap(([type, blocks]) =>
    Object.keys(blocks).map((name) => `${type}.${name}`),
  );
}
