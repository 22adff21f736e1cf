import { type Route } from '../call';
import { accountRoutes, zoneRoutes } from './zones';
import { rulesetRoutes } from './rulesets';
import { filterRoutes } from './filters';
import { firewallRuleRoutes } from './firewall-rules';
import { graphqlRoutes } from './graphql';
import { migrationRoutes } from './migration';
import { pageRuleRoutes } from './page-rules';
import { wafPackageRoutes } from './waf-packages';
import { wafOverrideRoutes } from './waf-overrides';

/** Every path of the service, one family a file. */
export const routes: readonly Route[] = [
  ...zoneRoutes,
  ...accountRoutes,
  ...migrationRoutes,
  ...rulesetRoutes,
  ...filterRoutes,
  ...firewallRuleRoutes,
  ...pageRuleRoutes,
  ...wafPackageRoutes,
  ...wafOverrideRoutes,
  ...graphqlRoutes,
];
