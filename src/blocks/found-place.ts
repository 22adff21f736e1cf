import { compareTexts } from '../model/compare-texts';
import { type ConfigFile } from './config-file';
import { LineIndex } from './line-index';
import { type Reference } from './reference';

/** Longer texts are cut: a template in JSON can be a whole script. */
const LONGEST = 200;

/** A reference before its place is told in lines. */
export interface FoundPlace extends Pick<Reference, 'address' | 'from' | 'text'> {
  readonly file: ConfigFile;
  readonly offset: number;
}

/** The places as lines, in the order of file and line, each once. */
export function placeReferences(found: readonly FoundPlace[]): Reference[] {
  const indexes = new Map<ConfigFile, LineIndex>();
  const references = found.map(({ file, offset, text, ...what }): Reference => {
    const lines = indexes.get(file) ?? new LineIndex(file.text);
    indexes.set(file, lines);
    const { line, column } = lines.position(offset);
    return { ...what, file: file.path, line, column, text: text.slice(0, LONGEST) };
  });
  const keyed = new Map(references.map((one) => [JSON.stringify(one), one]));
  return [...keyed.values()].sort(
    (one, other) =>
      compareTexts(one.file, other.file) ||
      one.line - other.line ||
      one.column - other.column ||
      compareTexts(one.address, other.address),
  );
}
