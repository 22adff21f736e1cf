import { findOldBlocks } from '../blocks/find-old-blocks';
import { oldWafTypes } from '../state/old-waf-types';
import { type Configuration } from './edit-configuration';

/** How many old data sources a configuration declares; those in `check` blocks are read as well. */
export function oldDataSources({ project }: Configuration): number {
  const { old, inChecks } = findOldBlocks(project, { old: oldWafTypes, retired: [] });
  return old.filter(({ mode }) => mode === 'data').length + inChecks.length;
}

/** Old resources that a configuration declares: what each is called in its module. */
export function oldResourceBlocks({ project }: Configuration): string[] {
  const { old } = findOldBlocks(project, { old: oldWafTypes, retired: [] });
  return old.filter(({ mode }) => mode === 'managed').map(({ block }) => block.address);
}
