import * as z from 'zod';
import { accept } from '../accept';
import { type Call, type Reply, type Route } from '../call';
import { filterExpression } from '../filter-body';
import { zoneRoute } from '../zone-route';
import { INVALID_FIREWALL } from './firewall-route';

const body = z.strictObject({ expression: filterExpression });

/** Validation of an expression: changes nothing, so it works in maintenance mode too. */
function validate(call: Call): Reply {
  accept(body, call.body(), INVALID_FIREWALL);
  return { result: null };
}

/** Both paths that public clients have for it: with a zone, and without. */
export const filterExpressionRoutes: readonly Route[] = [
  { path: '/filters/validate-expr', methods: { POST: validate } },
  zoneRoute('/filters/validate-expr', { POST: validate }),
];
