import { acceptFlag } from '../../model/posix-quote';
import { type PlannedChange } from '../../terraform/judge-plan';

/** The flags that accept the outputs among differences; undefined where none is an output. */
export function howToAccept(
  differences: readonly Pick<PlannedChange, 'address' | 'isOutput'>[],
): string | undefined {
  const outputs = new Set(
    differences.flatMap(({ address, isOutput }) => (isOutput === true ? [address] : [])),
  );
  if (outputs.size === 0) return undefined;
  return `where the change of an output is as it should be, pass ${[...outputs].map(acceptFlag).join(' ')}`;
}
