import { constructName, type StackNames } from '../generate/names';

/** What a person adds to the stack that is to have the construct of a zone. */
export function inStack(names: StackNames): string[] {
  const name = constructName(names);
  return [
    `where the stack is: import { ${name} } from "…/${names.slug}.ruleset"; (by the path of the file)`,
    `in its constructor: new ${name}(this, "${names.slug}");`,
  ];
}
