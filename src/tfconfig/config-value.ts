/** An argument whose value Terraform has to work out; the text is the expression as it stands. */
export class Expression {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value of the configuration, as far as it can be read without Terraform. */
export type ConfigValue =
  null | boolean | number | string | Expression | readonly ConfigValue[] | ConfigObject;

/** Arguments by name; a nested block is a list of objects, also where there is one. */
export type ConfigObject = ReadonlyMap<string, ConfigValue>;

/** Narrows to a list, which `Array.isArray` does not of a read-only one. */
export function isList(value: ConfigValue | undefined): value is readonly ConfigValue[] {
  return Array.isArray(value);
}

/** Narrows to the arguments of a block or an object. */
export function isObject(value: ConfigValue | undefined): value is ConfigObject {
  return value instanceof Map;
}

/** The objects of a nested block or argument: one, many, or none. */
export function objectsOf(value: ConfigValue | undefined): readonly ConfigObject[] {
  if (isObject(value)) return [value];
  return isList(value) ? value.filter(isObject) : [];
}

/** A literal string; undefined for anything else. */
export function stringOf(value: ConfigValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A reference as it is written: JSON has it in quotes, HCL bare. */
export function referenceOf(value: ConfigValue | undefined): string | undefined {
  return value instanceof Expression ? value.text : stringOf(value);
}
