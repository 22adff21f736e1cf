import { type Route } from '../call';
import { accountRoutes } from './accounts';
import { entryPointRoutes } from './entry-point';
import { filterRoutes } from './filters';
import { firewallRuleRoutes } from './firewall-rules';
import { filterExpressionRoutes } from './filter-expressions';
import { graphqlRoutes } from './graphql';
import { migrationRoutes } from './migration';
import { pageRuleRoutes } from './page-rules';
import { rulesetRuleRoutes } from './ruleset-rules';
import { rulesetRoutes } from './rulesets';
import { wafGroupRoutes } from './waf-groups';
import { wafOverrideRoutes } from './waf-overrides';
import { wafPackageRoutes } from './waf-packages';
import { wafRuleRoutes } from './waf-rules';
import { zoneRoutes } from './zones';

/** Every path of the service, one family a file. */
export const routes: readonly Route[] = [
  ...zoneRoutes,
  ...accountRoutes,
  ...migrationRoutes,
  ...entryPointRoutes,
  ...rulesetRoutes,
  ...rulesetRuleRoutes,
  ...filterExpressionRoutes,
  ...filterRoutes,
  ...firewallRuleRoutes,
  ...pageRuleRoutes,
  ...wafPackageRoutes,
  ...wafGroupRoutes,
  ...wafRuleRoutes,
  ...wafOverrideRoutes,
  ...graphqlRoutes,
];
