import { isJsonObject, objectOf, textOf, textsOf } from '../../core/json';

/** The attributes of an object in a state or an answer: nothing is known of their types. */
export type Attributes = Readonly<Record<string, unknown>>;

/** A text, empty where there is none. */
export function text(attributes: Attributes, name: string): string {
  return textOf(attributes[name]);
}

/** A text that is not empty. */
export function optionalText(attributes: Attributes, name: string): string | undefined {
  return text(attributes, name) || undefined;
}

export function wholeNumber(attributes: Attributes, name: string): number | undefined {
  const value = attributes[name];
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

export function isTrue(attributes: Attributes, name: string): boolean {
  return attributes[name] === true;
}

export function texts(attributes: Attributes, name: string): string[] {
  return textsOf(attributes[name]);
}

/** The objects of a list; provider 5 writes a list of one as the object. */
export function objects(attributes: Attributes, name: string): Attributes[] {
  const value = attributes[name];
  return (Array.isArray(value) ? value : [value]).filter(isJsonObject);
}

/** A map of texts. */
export function textMap(attributes: Attributes, name: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(objectOf(attributes[name])).flatMap(([key, one]): [string, string][] =>
      typeof one === 'string' ? [[key, one]] : [],
    ),
  );
}
