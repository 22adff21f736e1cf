import { MANAGED_PHASE } from '../core/ruleset';
import { type ConfigProject, type ResourceBlock } from './config-module';
import { type ConfigValue, Expression } from './config-value';
import { readBody } from './read-body';

/** Which blocks to look for: the knowledge of the types lies with those who read the state. */
export interface OldTypes {
  /** Types of the previous WAF managed rules. */
  readonly old: readonly { readonly mode: 'managed' | 'data'; readonly type: string }[];
  /** Types whose interface is retired: filters and firewall rules. */
  readonly retired: readonly string[];
}

/** What a configuration holds of the migration. */
export interface OldBlocks {
  /** Resources and data sources of the old types, overrides included. */
  readonly old: readonly ResourceBlock[];
  readonly retired: readonly ResourceBlock[];
  /** Rulesets of the phase, and those whose phase is not told in so many words. */
  readonly entryPoints: readonly ResourceBlock[];
}

/** Finds the old blocks in every module of a configuration, in its order. */
export function findOldBlocks(project: ConfigProject, types: OldTypes): OldBlocks {
  const resources = [...project.modules.values()].flatMap((module) => module.resources);
  const key = ({ mode, type }: { mode: string; type: string }): string => `${mode} ${type}`;
  const old = new Set(types.old.map(key));
  const retired = new Set(types.retired);
  return {
    old: resources.filter((resource) => old.has(key(resource))),
    retired: resources.filter(({ mode, type }) => mode === 'managed' && retired.has(type)),
    entryPoints: resources.filter(
      ({ mode, type, file, block }) =>
        mode === 'managed' &&
        type === 'cloudflare_ruleset' &&
        mayBeManaged(readBody(file, block).get('phase')),
    ),
  };
}

function mayBeManaged(phase: ConfigValue | undefined): boolean {
  return phase === MANAGED_PHASE || phase instanceof Expression;
}
