import {
  type PatternKind,
  parseUrlPattern,
  type UrlPattern,
} from '../../../src/translate/reading/url-pattern';
import { type ModelRequest } from './old-matcher';

/** A pattern that has to be one. */
export function parsed(text: string, kind: PatternKind = 'override'): UrlPattern {
  const pattern = parseUrlPattern(text, kind);
  if ('host' in pattern) return pattern;
  throw new Error(`${text} ${pattern.why}`);
}

export const request = (url: string): ModelRequest => {
  const { protocol, host, pathname, search } = new URL(url);
  return { ssl: protocol === 'https:', host, path: pathname, query: search.slice(1) };
};
