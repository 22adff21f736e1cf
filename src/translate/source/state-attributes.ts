import { isJsonObject, objectOf, textOf, textsOf } from '../../core/json';

/** The attributes of an object in a state: unknown, and in states of Terraform 0.11 all strings. */
export type Attributes = Readonly<Record<string, unknown>>;

/** One object of a state with its address. */
export interface Placed {
  readonly from: string;
  readonly type: string;
  readonly zoneId: string;
  readonly attributes: Attributes;
}

/** A text, empty when there is none. */
export function text(attributes: Attributes, name: string): string {
  return textOf(attributes[name]);
}

/** A text that says something. */
export function optionalText(attributes: Attributes, name: string): string | undefined {
  return text(attributes, name) || undefined;
}

/** A whole number. */
export function wholeNumber(attributes: Attributes, name: string): number | undefined {
  const value = attributes[name];
  const parsed = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof parsed === 'number' && Number.isSafeInteger(parsed) ? parsed : undefined;
}

/** Whether it is on. */
export function isTrue(attributes: Attributes, name: string): boolean {
  const value = attributes[name];
  return value === true || value === 'true';
}

/** The texts of a list or set. */
export function texts(attributes: Attributes, name: string): string[] {
  return textsOf(attributes[name]);
}

/** The objects of a list, or the one object that stands for itself (provider 5). */
export function objects(attributes: Attributes, name: string): Attributes[] {
  const value = attributes[name];
  return (Array.isArray(value) ? value : [value]).filter(isJsonObject);
}

/** A map of texts; any key is kept as it is. */
export function textMap(attributes: Attributes, name: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(objectOf(attributes[name])).flatMap(([key, one]): [string, string][] =>
      typeof one === 'string' ? [[key, one]] : [],
    ),
  );
}
