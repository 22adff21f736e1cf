import { join } from 'node:path';
import { withoutKeys } from '../../../src/core/resource-address';
import { type Step } from '../../../src/plan/plan-schema';
import { Broken, type Model } from '../model';
import { type Folder, type World } from '../world';

/** Does the manual step for which the last `apply` waits. Returns the lines of the log. */
export async function doManualStep(
  world: World,
  { plan, waiting }: Pick<Model, 'plan' | 'waiting'>,
): Promise<string[]> {
  const step = plan?.steps.find(({ id }) => id === waiting);
  const dir = plan?.states.find(({ name }) => name === step?.state)?.dir;
  const folder = world.folders.find((one) => one.dir === dir);
  if (step === undefined || folder === undefined) return [];
  const { code = '', runs = [], addresses = [], provider, kind } = step;
  if (kind === 'upgrade-provider') {
    world.require(folder, provider ?? '');
    return [`# require version ${provider ?? ''} of the provider in ${folder.dir}`];
  }
  const isOverride = code.startsWith('stack.');
  const isDeclaration = runs.length > 0 && !isOverride;
  if (!isDeclaration) removeBlocks(world, folder, addresses);
  if (isOverride)
    world.synthesise(folder, (stack) => {
      const addOverride = (name: string, value: unknown) => (stack[name] = value);
      // runs the code from the plan as the user would
      // eslint-disable-next-line @typescript-eslint/no-implied-eval
      new Function('stack', code)({ addOverride });
    });
  for (const { argv } of runs)
    // commands that only read change nothing
    if (argv[0] === 'cf-waf-migrate') await declare(world, folder, argv);
  return [`# do step ${step.id} of the plan: ${step.title}`];
}

/** Runs the command of the plan, or in a stack, adds what its construct synthesises. */
async function declare(
  world: World,
  folder: Folder,
  argv: NonNullable<Step['runs']>[0]['argv'],
): Promise<void> {
  const isStack = folder.form === 'cdktf';
  const line = isStack ? asJson(argv, folder) : argv;
  const { code, stdout, stderr } = await world.cli([...line.slice(1), '--json']);
  if (code !== 0 && code !== 2)
    throw new Broken(`a command of the plan fails: ${argv.join(' ')}: ${stderr.slice(-600)}`);
  if (!isStack) return;
  const [file] = JSON.parse(stdout).files;
  const { cloudflare_ruleset } = JSON.parse(world.read(file)).resource;
  world.synthesise(folder, ({ resource }) => {
    resource.cloudflare_ruleset = { ...resource.cloudflare_ruleset, ...cloudflare_ruleset };
  });
  world.remove(GENERATED);
}

const GENERATED = 'generated';

/** Writes what the construct of the command would synthesise. */
function asJson(argv: readonly string[], { version }: Folder): string[] {
  const valueOf = (flag: string): string => argv[argv.indexOf(flag) + 1] ?? '';
  const [zone, address] = [valueOf('--zone'), valueOf('--address')];
  const flags = `--source live --provider ${version[0]} --format tfjson --out ${GENERATED}`;
  return ['', 'generate', '--zone', zone, '--address', address, ...flags.split(' ')];
}

function removeBlocks(world: World, folder: Folder, addresses: readonly string[]): void {
  const named = addresses.map((address) => withoutKeys(address).split('.').slice(-2).join('.'));
  const files = Object.keys(world.look().files).filter((name) =>
    folder.dir === '.' ? true : name.startsWith(join(folder.dir, '/')),
  );
  for (const name of files) {
    const text = world.read(name);
    if (name.endsWith('.tf'))
      world.write(
        name,
        text.replace(/^(resource|data) "(\w+)" "(\w+)" [^]*?^}\n/gm, (block, kind, type, own) =>
          named.includes(`${type}.${own}`) ? '' : block,
        ),
      );
    if (!name.endsWith('.tf.json')) continue;
    const document = JSON.parse(text);
    for (const kind of ['resource', 'data']) {
      const left = Object.entries<object>(document[kind] ?? {}).flatMap(([type, blocks]) => {
        const kept = Object.entries(blocks).filter(([own]) => !named.includes(`${type}.${own}`));
        return kept.length === 0 ? [] : [[type, Object.fromEntries(kept)]];
      });
      document[kind] = left.length === 0 ? undefined : Object.fromEntries(left);
    }
    for (const kind of ['import', 'removed'])
      document[kind] = document[kind]?.filter(
        ({ to, from }: any) => !addresses.includes(`${kind} ${to ?? from}`),
      );
    world.write(name, JSON.stringify(document, null, 2));
  }
}
