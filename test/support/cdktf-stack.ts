import { App, LocalBackend, TerraformResource, TerraformStack } from 'cdktf';
import { type Construct } from 'constructs';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type LegacyResource } from './legacy-resources';

/** What the program of a CDKTF project declares. */
export interface Program {
  readonly old: readonly LegacyResource[];
  /** Attributes of `cloudflare_ruleset.managed_rules`, as they stand in Terraform JSON. */
  readonly ruleset?: Readonly<Record<string, unknown>>;
  /** TypeScript as a plan prints it, in which `stack` is the stack. */
  readonly code?: string;
}

/** The folder of the stack, relative to the project. */
export const stackDir = 'cdktf.out/stacks/waf';

/** A resource as the bindings of any provider would synthesise it. */
class Plain extends TerraformResource {
  constructor(
    scope: Construct,
    type: string,
    name: string,
    private readonly attributes: Readonly<Record<string, unknown>>,
  ) {
    super(scope, `${type}-${name}`, { terraformResourceType: type });
    this.overrideLogicalId(name);
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return { ...this.attributes };
  }
}

/** Runs the program: writes `cdk.tf.json` anew, with the state `waf.tfstate` of the project. */
export function synthesise(project: string, { old, ruleset, code }: Program): void {
  const app = new App({ outdir: join(project, 'cdktf.out'), skipValidation: true });
  const stack = new TerraformStack(app, 'waf');
  stack.addOverride('terraform.required_providers.cloudflare.source', 'cloudflare/cloudflare');
  new LocalBackend(stack, { path: join(project, 'waf.tfstate') });
  for (const { type, name, attributes } of old) {
    const computed = ['id', ...(type === 'cloudflare_waf_rule' ? ['group_id', 'package_id'] : [])];
    const given = Object.entries(attributes).filter(([key]) => !computed.includes(key));
    new Plain(stack, type, name, Object.fromEntries(given));
  }
  if (ruleset !== undefined) new Plain(stack, 'cloudflare_ruleset', 'managed_rules', ruleset);
  // what the plan prints is what a user pastes
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  if (code !== undefined) new Function('stack', code)(stack);
  const folder = join(project, stackDir);
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
  app.synth();
}
