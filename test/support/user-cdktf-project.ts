import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cdktfCli, linkPackagesOfThree, plainEnvironment, runInProject } from './cdktf-project';
import { runProcess } from './run-process';

const mainText = `import { App, Aspects, HttpBackend, TerraformHclModule, TerraformResource, TerraformStack } from 'cdktf';
import { type Construct, type IConstruct } from 'constructs';
import { CloudflareProvider } from './.gen/providers/cloudflare/provider';
import environments from './environments.json';
import { OldWaf } from './lib/old-waf';

class EdgeStack extends TerraformStack {
  constructor(scope: Construct, id: string, { state, zones }: (typeof environments)['prod']) {
    super(scope, id);
    new CloudflareProvider(this, 'cloudflare');
    new HttpBackend(this, { address: state, lockAddress: state, unlockAddress: state });
    for (const zone of zones) {
      new OldWaf(this, zone.name, { zoneId: zone.id, rules: { '100000': 'disable' } });
      new TerraformHclModule(this, \`legacy-\${zone.name}\`, {
        source: './modules/legacy',
        variables: { zone_id: zone.id, rules: ['100001'] },
      });
      this.addOverride(\`resource.cloudflare_waf_rule.raw-\${zone.name}\`, {
        zone_id: zone.id,
        rule_id: '100002',
        mode: 'disable',
      });
    }
    Aspects.of(this).add({
      visit: (node: IConstruct) => {
        if (TerraformResource.isTerraformResource(node)) node.lifecycle = { preventDestroy: true };
      },
    });
  }
}

const app = new App();
new EdgeStack(app, 'edge-staging', environments.staging);
const stack = new EdgeStack(app, 'edge-prod', environments.prod);
app.synth();
`;

const oldWafText = `import { WafPackage } from '../.gen/providers/cloudflare/waf-package';
import { WafRule } from '../.gen/providers/cloudflare/waf-rule';
import { Construct } from 'constructs';

interface Settings {
  zoneId: string;
  rules: Record<string, string>;
}

export class OldWaf extends Construct {
  constructor(scope: Construct, id: string, { zoneId, rules }: Settings) {
    super(scope, id);
    new WafPackage(this, 'owasp', {
      zoneId,
      packageId: 'c504870194831cd12c3fc0284f294abb',
      sensitivity: 'low',
      actionMode: 'simulate',
    });
    for (const [ruleId, mode] of Object.entries(rules)) {
      new WafRule(this, \`rule-\${ruleId}\`, { zoneId, ruleId, mode });
    }
  }
}
`;

const moduleText = `terraform {
  required_providers {
    cloudflare = { source = "cloudflare/cloudflare" }
  }
}

variable "zone_id" {
  type = string
}

variable "rules" {
  type = set(string)
}

resource "cloudflare_waf_rule" "this" {
  for_each = var.rules
  zone_id  = var.zone_id
  rule_id  = each.value
  mode     = "simulate"
}
`;

/** What a stack of each environment is made for: the address of its backend, and its zones. */
export type Environments = Record<
  'staging' | 'prod',
  { state: string; zones: { name: string; id: string }[] }
>;

/**
 * A CDKTF project as a user wrote it years ago: two stacks of one class, old settings by constructs in a
 * loop, in a module and past the bindings, a remote backend, an aspect.
 */
export class UserCdktfProject {
  private constructor(readonly dir: string) {}

  static async write(
    dir: string,
    environments: Environments,
    environment: Record<string, string>,
  ): Promise<UserCdktfProject> {
    const project = new UserCdktfProject(dir);
    const files = {
      'package.json': { dependencies: { cdktf: '^0.21.0', constructs: '^10.4.0' } },
      'cdktf.json': {
        ...{ language: 'typescript', app: 'npx tsx main.ts', projectId: 'edge' },
        sendCrashReports: 'false',
        terraformProviders: ['cloudflare/cloudflare@~> 3.35'],
        terraformModules: [{ name: 'legacy', source: './modules/legacy' }],
      },
      'environments.json': environments,
      'main.ts': mainText,
      'lib/old-waf.ts': oldWafText,
      'modules/legacy/main.tf': moduleText,
    };
    for (const [path, content] of Object.entries(files)) project.put(path, content);
    linkPackagesOfThree(dir);
    // the bindings of the package are those of the guide, which is typed by a test
    rmSync(join(dir, 'node_modules/@cdktf'), { recursive: true });
    const env = plainEnvironment(environment);
    const made = await runProcess(cdktfCli, ['get'], { cwd: dir, env });
    if (made.code !== 0) throw new Error(made.stderr + made.stdout);
    return project;
  }

  /** Runs the program as `cdktf synth` does (cdktf-cli 0.21). */
  async synthesise(): Promise<void> {
    const context = { cdktfRelativeModules: ['./modules/legacy'] };
    const ran = await runInProject(this.dir, 'tsx', ['main.ts'], {
      CDKTF_OUTDIR: 'cdktf.out',
      CDKTF_CONTEXT_JSON: JSON.stringify(context),
    });
    if (ran.code !== 0) throw new Error(ran.stderr);
  }

  /** What CDKTF has made of a stack. */
  synthesised(stack: string): string {
    return this.read(join(stackFolder(stack), 'cdk.tf.json'));
  }

  read(path: string): string {
    return readFileSync(join(this.dir, path), 'utf8');
  }

  /** Replaces the one place of `main.ts` that has a text. */
  edit(from: string, to: string): void {
    const [before, after, ...others] = this.read('main.ts').split(from);
    if (before === undefined || after === undefined || others.length > 0) {
      throw new Error(`not once in main.ts: ${from}`);
    }
    this.put('main.ts', before + to + after);
  }

  put(path: string, content: string | object): void {
    const place = join(this.dir, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  }
}

/** The folder of a stack, relative to its project. */
export function stackFolder(stack: string): string {
  return `cdktf.out/stacks/${stack}`;
}
