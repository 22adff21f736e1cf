/**
 * The library of cf-waf-migrate: re-exports the functions of the command line that are pure.
 * @packageDocumentation
 */
export {
  applyEdit,
  type FileEdit,
  planEdit,
  planNewFile,
  type Removal,
} from './tfconfig/file-edit';
export {
  type ConfigBlock,
  type ConfigFile,
  type FileReference,
  type SourceRange,
  type ConfigModule,
  type ConfigProject,
  type ModuleCall,
  type ProviderBlock,
  type ProviderRequirement,
  type ReachedModule,
  type ResourceBlock,
  type StateBlock,
  type UnreadFile,
  type ConfigObject,
  type ConfigValue,
  Expression,
  type Splice,
} from './tfconfig/config';
export { type ConfigSource, type ConfigSyntax } from './tfconfig/config-source';
export { findBlocksOfTypes } from './tfconfig/find-blocks';
export { findReferences, type Reference, type Target, type Use } from './tfconfig/find-references';
export {
  type FolderFiles,
  parseConfig,
  type ReadFolder,
  readProject,
  requireWhole,
} from './tfconfig/read-project';
export {
  type ImportBlock,
  jsonStateBlocks,
  renderHclBlocks,
  renderJsonBlocks,
  type StateBlocks,
} from './tfconfig/state-blocks';
export { type FlavorName } from './generate/formats/cdktf';
export { type GeneratedFile } from './generate/formats/format';
export { type GeneratedStack, generateStack, type StackRequest } from './generate/generate-stack';
export { type ZoneName } from './generate/stack-names';
export { type ParsedRuleset, parseRuleset, type RulesetOrigin } from './ruleset/parse-ruleset';
export { errorCatalogue, type ErrorCode } from './core/error-catalogue';
export { type Finding, type Severity } from './core/finding';
export {
  type FormatName,
  REPORT_FORMATS,
  type ReportFormatName,
  STACK_FORMATS,
} from './core/format-names';
export { type JsonObject, type JsonValue } from './core/json';
export { MigrationError, type MigrationErrorOptions } from './core/migration-error';
export {
  type LegacyFirewallRule,
  type GroupSetting,
  type LegacyOverride,
  type PackageSetting,
  type LegacyPageRule,
  type RuleSetting,
  type LegacySettings,
  type LegacySwitch,
} from './translate/source/legacy-settings';
export { PROVIDER_MAJORS, type ProviderMajor, type WrittenRuleset } from './core/provider-majors';
export {
  type DeclaredRule,
  type DeclaredRuleset,
  type Ruleset,
  type RulesetRule,
} from './core/ruleset';
export { type DeclaredRulesetAddress, type NamedValues } from './project/declared-rulesets';
export { type Configuration } from './project/read-configuration';
export { parsePlan } from './plan/parse-saved-plan';
export {
  type Expects,
  type Method,
  type Plan,
  type PlanState,
  type PlanZone,
  type Run,
  type Step,
  type StepKind,
} from './plan/plan-schema';
export { planMigration } from './plan/plan-migration';
export {
  type OwnedRuleset,
  type OwnedZone,
  type PlannedZone,
  type StateFacts,
} from './plan/facts/facts';
export { type PassedFlag } from './plan/steps/terraform-flags';
export { type LegacyWafType, legacyWafTypes } from './tfstate/legacy-waf-types';
export { type ResourceMode } from './core/resource-address';
export { type TerraformVersion } from './terraform/terraform-version';
export {
  type LegacyResource,
  pickLegacyResources,
  parseState,
  type ProviderAddress,
  type State,
  type StateInstance,
  type StateResource,
} from './tfstate/parse-state';
export {
  builtInCatalogue,
  type Catalogue,
  type CatalogueMatch,
  groupKey,
  type LegacyGroup,
  type LegacyRule,
  lookup,
  type ManagedRule,
  type Successor,
} from './translate/catalogue/catalogue';
export { reportFormats } from './report/formats/registry';
export { type Made } from './html/components';
export { type Report, type ZoneReport } from './report/report';
export {
  type NewRuleRow,
  type OverrideRow,
  type Parity,
  type ParitySummary,
  type SettingRow,
  type Status,
  statuses,
  type ZoneComparison,
} from './translate/compare/parity';

export { type TranslateOptions } from './translate/reading/legacy-zone';
export { type PackageKind, type SettingKind } from './translate/reading/setting';
export { compareZone, translateZone, type Translation } from './translate/translate-zone';
