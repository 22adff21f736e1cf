import { itemAt } from './block-at';
import { type ConfigBlock, type ConfigFile } from './config-file';
import { blockNode } from './hcl-body';
import { sourceOf } from './source-of';

/** A local value: its name and where its definition stands. */
export interface LocalValue {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** The values that a `locals` block defines, in its order. */
export function localValues(file: ConfigFile, block: ConfigBlock): readonly LocalValue[] {
  if (file.syntax === 'json') {
    return file.bodies.get(block)?.members.filter(({ name }) => name !== '//') ?? [];
  }
  const { text, tree } = file;
  const body = blockNode(tree, block).namedChildren.find(({ type }) => type === 'body');
  return (body?.namedChildren ?? []).flatMap((child) => {
    const name = child.firstNamedChild;
    if (child.type !== 'attribute' || name === null) return [];
    const { startIndex: start, endIndex: end } = child;
    return [{ name: sourceOf(name, text), start, end }];
  });
}

/** Tells which local value of a block an offset belongs to. */
export function localNames(file: ConfigFile, block: ConfigBlock): (offset: number) => string {
  const values = localValues(file, block);
  return (offset) => itemAt(values, (value) => value, offset)?.name ?? '';
}
