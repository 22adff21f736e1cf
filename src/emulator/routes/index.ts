import { type Route } from '../call';
import { accountRoutes } from './accounts';
import { entryPointRoutes } from './entry-point';
import { migrationRoutes } from './migration';
import { rulesetRoutes } from './rulesets';
import { zoneRoutes } from './zones';

/** Every path of the service, one family a file. */
export const routes: readonly Route[] = [
  ...zoneRoutes,
  ...accountRoutes,
  ...migrationRoutes,
  ...entryPointRoutes,
  ...rulesetRoutes,
];
