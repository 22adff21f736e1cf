import { type StepDraft } from '../plan';
import { majorOf } from '../provider-version';
import { type OrderInput } from './order';
import { chunks, SAVED_PLAN, terraform } from './terraform-argv';

/** Rulesets that the provider cannot read leave the state before they are imported anew. */
export function removeUnreadable(input: OrderInput): StepDraft[] {
  if (input.unreadable.length === 0) return [];
  return [
    {
      kind: 'remove',
      title: `Remove the rulesets that provider ${input.provider} cannot read from the state`,
      why: `provider 3 or an early 4 wrote them, and one such entry keeps ${input.provider} from planning and importing anything; they are imported again`,
      runs: chunks(input.unreadable).map((addresses) => ({
        argv: terraform(input, 'state', 'rm', ...addresses),
      })),
      addresses: input.unreadable,
      expects: { rewritten: input.unreadable },
    },
  ];
}

/** Nothing where the major stays. */
export function upgradeProvider(input: OrderInput, version: string | undefined): StepDraft[] {
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

/** Lets provider 4 write the entries of provider 3 anew: a plan alone does not (measured). */
export function rewriteRulesets(input: OrderInput): StepDraft {
  return {
    kind: 'apply-refresh',
    title:
      'Write the entries of rulesets that provider 3 or an early 4 wrote anew, and change nothing else',
    why: `provider ${input.provider} cannot read them, and one such entry keeps it from planning and importing anything`,
    runs: [
      { argv: terraform(input, 'plan', '-refresh-only', '-input=false', `-out=${SAVED_PLAN}`) },
      { argv: terraform(input, 'show', '-json', SAVED_PLAN) },
      { argv: terraform(input, 'apply', '-input=false', SAVED_PLAN) },
    ],
    addresses: input.unreadable,
    expects: { rewritten: input.unreadable },
  };
}
