import { constructName, type StackNames } from '../names';

/**
 * What a person adds to the program for one stack to have the construct of a zone. Behind the stack: its class
 * may be that of other stacks as well, one for each environment, and each of them would have the construct.
 */
export function inStack(names: StackNames): string[] {
  const name = constructName(names);
  return [
    `where the program makes the stack: import { ${name} } from "…/${names.slug}.ruleset"; (by the path of the file)`,
    `behind it: new ${name}(stack, "${names.slug}"); (in its constructor, with this, only if no other stack is of its class)`,
  ];
}
