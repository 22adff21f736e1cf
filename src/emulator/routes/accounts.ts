import { type Route } from '../call';
import { refusal } from '../refusal';

/**
 * Accounts are not emulated: an identifier there is never one that the caller may see. Provider 4 asks
 * here when an import id begins with `zones/`, and shows the 10000 that this answers.
 */
const refuse = (): never => {
  throw refusal(403, 10000, 'Authentication error');
};

/** Whatever is below an account. */
export const accountRoutes: readonly Route[] = [
  {
    path: '/accounts/:account/*',
    methods: { GET: refuse, POST: refuse, PUT: refuse, PATCH: refuse, DELETE: refuse },
  },
];
