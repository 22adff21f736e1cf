import { findOldBlocks, type OldBlocks } from '../blocks/find-old-blocks';
import { oldWafTypes } from '../state/old-waf-types';
import { type Configuration } from './configuration';

const find = ({ project }: Configuration): OldBlocks =>
  findOldBlocks(project, { old: oldWafTypes, retired: [] });

/** How many old data sources a configuration declares; those in `check` blocks are read as well. */
export function oldDataSources(configuration: Configuration): number {
  const { old, inChecks } = find(configuration);
  return old.filter(({ mode }) => mode === 'data').length + inChecks.length;
}

/** Old resources that a configuration declares: what each is called in its module. */
export function oldResourceBlocks(configuration: Configuration): string[] {
  const { old } = find(configuration);
  return old.filter(({ mode }) => mode === 'managed').map(({ block }) => block.address);
}

/** All that a later provider does not know: data sources too, also those in `check` blocks. */
export function allOldBlocks(configuration: Configuration): string[] {
  const { old, inChecks } = find(configuration);
  return [...old, ...inChecks].map(({ block }) => block.address);
}
