import { findOldBlocks, type OldBlocks } from '../blocks/find-old-blocks';
import { oldWafTypes } from '../state/old-waf-types';
import { type Configuration } from './configuration';

const find = ({ project }: Configuration): OldBlocks =>
  findOldBlocks(project, { old: oldWafTypes, retired: [] });

/** How many old data sources a configuration declares. */
export function oldDataSources(configuration: Configuration): number {
  return find(configuration).old.filter(({ mode }) => mode === 'data').length;
}

/** Old resources that a configuration declares: what each is called in its module. */
export function oldResourceBlocks(configuration: Configuration): string[] {
  const { old } = find(configuration);
  return old.filter(({ mode }) => mode === 'managed').map(({ block }) => block.address);
}

/** All that a later provider does not know: data sources too. */
export function allOldBlocks(configuration: Configuration): string[] {
  return find(configuration).old.map(({ block }) => block.address);
}
