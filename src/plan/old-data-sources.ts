import { findOldBlocks } from '../blocks/find-old-blocks';
import { oldWafTypes } from '../state/old-waf-types';
import { type Configuration } from './edit-configuration';

/** How many old data sources a configuration declares; those in `check` blocks are read as well. */
export function oldDataSources({ project }: Configuration): number {
  const { old, inChecks } = findOldBlocks(project, { old: oldWafTypes, retired: [] });
  return old.filter(({ mode }) => mode === 'data').length + inChecks.length;
}
