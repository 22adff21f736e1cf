import { type Finding } from './finding';

/** The codes of findings for a line of text, each once, in their order; empty where there are none. */
export const findingCodes = (findings: readonly Finding[]): string =>
  [...new Set(findings.map(({ code }) => code))].join(', ');
