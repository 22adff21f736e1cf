import { createColors } from 'picocolors';

/** Colours the words that begin a line and say how much it weighs. The text itself stays. */
export function paint(text: string, isColoured: boolean): string {
  const { red, yellow, cyan, dim } = createColors(isColoured);
  return text
    .replace(/^(?:error|blocker):/gm, (word) => red(word))
    .replace(/^decision:/gm, (word) => yellow(word))
    .replace(/^info:/gm, (word) => cyan(word))
    .replace(/^ +(?:why|cause|hint):.*$/gm, (line) => dim(line));
}
