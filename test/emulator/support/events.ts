import { type Emulator } from '../../../src/emulator/emulator';
import { ID } from './zone';

type Sample = Parameters<Emulator['sendTraffic']>[0]['requests'][number];

/** What sample requests to the one zone yield: source, rule and action of each event. */
export const events = ({ sendTraffic }: Emulator, ...requests: Sample[]): string[] =>
  sendTraffic({ zone: ID, requests }).map(
    ({ Source, RuleID, Action }) => `${Source} ${RuleID} ${Action}`,
  );

/** A request that a rule of the old and one of the new WAF block. */
export const SCANNER = { userAgent: 'sqlmap/1.7', path: '/search', query: 'q=1' };

/** Settings of the old packages of a zone. */
export const settings = (all: object): object => ({ oldWaf: { settings: all } });

/** OWASP off, so that single rules decide. */
export const noOwasp = {
  packages: { c504870194831cd12c3fc0284f294abb: { sensitivity: 'off', action_mode: 'block' } },
};
