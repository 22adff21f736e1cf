import { calledFolder } from '../blocks/config-module';
import { type PlannedState } from './planned-state';

/**
 * A provider configuration that old resources are bound to and that the configuration no longer
 * has: a `removed` block fails there ("Provider configuration not present", measured).
 * @returns its address as in the state; undefined when all are there
 */
export function orphanedProvider(state: PlannedState): string | undefined {
  return orphanedProviders(state).keys().next().value;
}

/** All of them, by their addresses, with the resources that are bound to each. */
export function orphanedProviders({
  configuration,
  oldResources,
}: PlannedState): ReadonlyMap<string, readonly string[]> {
  const orphans = new Map<string, string[]>();
  if (configuration === undefined) return orphans;
  const { project } = configuration;
  for (const { address, provider, mode } of oldResources) {
    if (provider === undefined || mode === 'data') continue;
    const { module, alias, text } = provider;
    // the default configuration of the root exists also where no block declares it
    if (module === '' && alias === undefined) continue;
    const calls = module === '' ? [] : module.replace(/^module\./, '').split('.module.');
    const dir = calls.reduce<string | undefined>((at, name) => {
      if (at === undefined) return undefined;
      const call = project.modules.get(at)?.calls.find((one) => one.name === name);
      return call === undefined ? undefined : calledFolder(at, call.source);
    }, project.root);
    const providers = dir === undefined ? [] : (project.modules.get(dir)?.providers ?? []);
    if (providers.some((one) => one.alias === alias)) continue;
    const bound = orphans.get(text);
    if (bound === undefined) orphans.set(text, [address]);
    else bound.push(address);
  }
  return orphans;
}
