import { type StepDraft } from '../plan';
import { majorOf } from '../provider-version';
import { type OrderInput } from './order';
import { terraform } from './terraform-argv';

/** Nothing where the major stays. */
export function upgradeProvider(input: OrderInput): StepDraft[] {
  const version = input.upgradeTo;
  if (version === undefined) return [];
  return [
    {
      kind: 'upgrade-provider',
      ...(input.isSynthesised
        ? {
            title: `Use bindings of provider ${majorOf(version)} (package.json, or terraformProviders of cdktf.json), synthesise and install it`,
            why: `this tool never edits a program; the old resources are out of the way now. Bindings from npm ask for one version (the last for 4.52.0 and 5.14.0): stack.addOverride('terraform.required_providers.cloudflare.version', '${version}') asks for this one`,
          }
        : {
            title: `Set the version constraint of the provider to ${version} and install it`,
            why: 'this tool never edits required_providers; the old resources are out of the way now',
          }),
      runs: [{ argv: terraform(input, 'init', '-upgrade', '-input=false') }],
      provider: version,
    },
  ];
}
