import { type Route } from '../call';
import { refusal } from '../refusal';

/** Accounts are not emulated: an identifier there is never one that the caller may see. */
const refuse = (): never => {
  throw refusal(403, 10000, 'Authentication error');
};

/**
 * Rulesets of an account. Provider 4 asks here when an import id begins with `zones/`, and shows
 * the 10000 that this answers.
 */
export const accountRoutes: readonly Route[] = ['/rulesets', '/rulesets/*'].map((path) => ({
  path: `/accounts/:account${path}`,
  methods: { GET: refuse, POST: refuse, PUT: refuse, DELETE: refuse },
}));
