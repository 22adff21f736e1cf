import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Plan } from '../../src/plan/plan-schema';
import { fleetScenario, zoneName } from '../cli/support/fleet-scenario';
import { expectTranscript, type Place, replay, transcriptsOf } from '../docs/support/transcripts';
import { applySettings } from '../support/apply-world';
import { linkPackages, linkPackagesOfThree, plainEnvironment } from '../support/cdktf-project';
import { hostedMirror } from '../support/hosted-mirror';
import { inInstalledWorld } from '../support/installed-world';
import { inLab, type Lab } from '../support/lab';
import { runCli } from '../support/run-cli';
import { runProcess } from '../support/run-process';
import { temporaryFolder } from '../support/temporary-folder';

const installed = join(__dirname, '../../node_modules');
const mirror = hostedMirror(['3.35.0']);

/** A folder, and the programs that a session there may run. */
function placeOf({ dir }: Pick<Lab, 'dir'>, environment: Record<string, string>): Place {
  const own = plainEnvironment(environment);
  const path = `${join(installed, '.bin')}${delimiter}${own['PATH'] ?? ''}`;
  const env = { ...own, PATH: path, TF_CLI_ARGS: '-no-color', NO_COLOR: '1' };
  return {
    cwd: dir,
    settle: (said) =>
      said
        .replaceAll(/^.*: (Refreshing state|Preparing import)\.\.\. .*\n/gm, '')
        .replaceAll(/\d+(\.\d+)? m?s\b/g, '… s')
        // as the formatter of the page writes it
        .replaceAll(/ +$/gm, ''),
    run: async (program, args, cwd) => {
      if (program === 'cf-waf-migrate') return runCli(args, { cwd, environment });
      if (program === 'npx') return runProcess(args[0]!, args.slice(1), { cwd, env });
      if (program === 'npm' && args[0] === 'install') {
        // the packages of this repository, without a registry
        linkPackages(cwd);
        return { code: 0, stdout: '', stderr: '' };
      }
      return runProcess(program, args, { cwd, env });
    },
  };
}

/** Creates a repository with a first commit in a folder. */
async function keep({ cwd, run }: Place, ignored: string): Promise<void> {
  writeFileSync(join(cwd, '.gitignore'), ignored);
  const author = ['-c', 'user.name=she', '-c', 'user.email=she@example.com'];
  await run('git', ['init', '-q'], cwd);
  await run('git', ['add', '.'], cwd);
  await run('git', [...author, 'commit', '-qm', 'As it was'], cwd);
}

const edgeText = `import { App, LocalBackend, TerraformStack } from "cdktf";
import { CloudflareProvider } from "@cdktf/provider-cloudflare/lib/provider";
import { WafPackage } from "@cdktf/provider-cloudflare/lib/waf-package";
import { WafRule } from "@cdktf/provider-cloudflare/lib/waf-rule";

const app = new App();
const stack = new TerraformStack(app, "edge");
new LocalBackend(stack, { path: "../../../edge.tfstate" });
new CloudflareProvider(stack, "cloudflare");

const zoneId = "ZONE";
new WafPackage(stack, "package_zone_1_example_com", {
  zoneId,
  packageId: "c504870194831cd12c3fc0284f294abb",
  sensitivity: "medium",
  actionMode: "simulate",
});
const modes = { "100000": "simulate", "100001": "disable" };
for (const [ruleId, mode] of Object.entries(modes)) {
  new WafRule(stack, \`rule_\${ruleId}_zone_1_example_com\`, { zoneId, ruleId, mode });
}

app.synth();
`;

/** The edit of the program, as the manual step and the command before it describe it. */
function edit(dir: string): void {
  const plan: Plan = JSON.parse(readFileSync(join(dir, 'plan.json'), 'utf8'));
  const code = plan.steps.map((step) => step.code ?? '').join('');
  const path = join(dir, 'main.ts');
  const text = readFileSync(path, 'utf8')
    .replace(
      /import \{ WafP[^]*waf-rule";\n/,
      `import { Zone_1ExampleComWafRuleset } from "./constructs/zone-1_example_com.ruleset";\n`,
    )
    .replace(
      /const zoneId[^]*\n\}\n\n/,
      `new Zone_1ExampleComWafRuleset(stack, "zone-1_example_com");\n${code}\n`,
    );
  writeFileSync(path, text);
}

function inEnterprise(use: (place: Place) => Promise<void>): Promise<void> {
  return inLab({ major: 5, scenario: 'enterprise' }, (lab) => use(placeOf(lab, lab.environment)));
}

const settings = { ...applySettings, version: '3.35.0' };

/** What `terraform state pull` prints in the session that works offline. */
const pulled = join(__dirname, '../fixtures/terraform/states/provider-alias-3.35.tfstate');

/** Creates the place of each session. */
const places: Record<string, (use: (place: Place) => Promise<void>) => Promise<void>> = {
  moved: (use) =>
    inInstalledWorld(mirror, { ...settings, backend: 'http' }, ({ lab, environment }) =>
      use(placeOf(lab, environment)),
    ),
  'pull-request': (use) =>
    inInstalledWorld(mirror, { ...settings, backend: 'http' }, async ({ lab, environment }) => {
      const place = placeOf(lab, environment);
      await keep(place, '.terraform/\n*tfplan*\nplan.md\nplan.txt\n');
      await use(place);
    }),
  program: (use) =>
    inInstalledWorld(mirror, settings, async ({ lab, environment, zoneIds, state }) => {
      const dir = join(lab.dir, 'edge');
      linkPackagesOfThree(dir);
      lab.write('edge/main.ts', edgeText.replace('ZONE', zoneIds[0]!));
      lab.write('edge/edge.tfstate', state);
      const place = placeOf({ dir }, environment);
      const inPlace: Place = {
        ...place,
        run: (program, args, cwd) => {
          if (program !== 'vim') return place.run(program, args, cwd);
          edit(cwd);
          return Promise.resolve({ code: 0, stdout: '', stderr: '' });
        },
      };
      await place.run('tsx', ['main.ts'], dir);
      await place.run('terraform', ['-chdir=cdktf.out/stacks/edge', 'init'], dir);
      await keep(place, 'node_modules\ncdktf.out\n');
      await use(inPlace);
    }),
  'not-moved': inEnterprise,
  enterprise: inEnterprise,
  offline: (use) => {
    const place = placeOf({ dir: temporaryFolder() }, {});
    return use({
      ...place,
      run: (program, args, cwd) =>
        program === 'terraform'
          ? Promise.resolve({ code: 0, stdout: readFileSync(pulled, 'utf8'), stderr: '' })
          : place.run(program, args, cwd),
    });
  },
  fleet: (use) => {
    const scenario = fleetScenario({
      count: 6,
      moved: (number) => number > 3,
      blocked: (number) => number === 2,
    });
    return inLab({ major: 5, scenario }, (lab) => {
      const names = [0, 1, 2, 3, 4, 5].map(zoneName);
      writeFileSync(join(lab.dir, 'zones.txt'), `# ours\n${names.join('\n')}\n`);
      return use(placeOf(lab, lab.environment));
    });
  },
};

const pages = [
  'README.md',
  'docs/generate.md',
  'docs/guide.md',
  'docs/many-zones.md',
  'docs/plan-and-apply.md',
];
const sessions = pages.flatMap((document) =>
  transcriptsOf(document).map(([where, session]) => ({ document, where, session })),
);

it.each(sessions)(
  '$document shows the session of $where',
  ({ document, where, session }) =>
    places[where]!(async (place) => {
      const now = await replay(session, place);
      // the pages omit lines, and show no id that differs between runs
      expectTranscript(document, session, now, session);
    }),
  300_000,
);
