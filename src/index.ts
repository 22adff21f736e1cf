/**
 * The library of cf-waf-migrate: the pure part of the command line, re-exported.
 * @packageDocumentation
 */
export { applyEdit } from './blocks/apply-edit';
export {
  type ConfigBlock,
  type ConfigFile,
  type HclFile,
  type JsonFile,
  type SourceRange,
} from './blocks/config-file';
export {
  type ConfigModule,
  type ConfigProject,
  type ModuleCall,
  type ProviderBlock,
  type ProviderRequirement,
  type ResourceBlock,
  type StateBlock,
  type UnreadCall,
} from './blocks/config-module';
export { type ConfigSource } from './blocks/config-source';
export { type FileEdit, planEdit, planNewFile, type Removal } from './blocks/plan-edit';
export { findOldBlocks, type OldBlocks, type OldTypes } from './blocks/find-old-blocks';
export { findReferences, type Reference } from './blocks/find-references';
export { type HclGrammar, loadHclGrammar } from './blocks/hcl-grammar';
export {
  type JsonArrayNode,
  type JsonMember,
  type JsonNode,
  type JsonObjectNode,
  type JsonScalarNode,
  type JsonStringNode,
} from './blocks/json-tree';
export { parseConfig } from './blocks/parse-config';
export { type PendingMove } from './blocks/pending-moves';
export { type ReadFolder, readProject } from './blocks/read-project';
export {
  type ImportBlock,
  jsonStateBlocks,
  renderHclBlocks,
  renderJsonBlocks,
  type StateBlocks,
} from './blocks/render-blocks';
export { type FlavorName } from './generate/flavor';
export { type GeneratedFile } from './generate/formats/format';
export { type GeneratedStack, generateStack, type StackRequest } from './generate/generate-stack';
export { type ZoneName } from './generate/names';
export { type ParsedRuleset, parseRuleset, type RulesetOrigin } from './generate/parse-ruleset';
export { errorCatalogue, type ErrorCode } from './model/error-catalogue';
export { type Finding, type Severity } from './model/finding';
export {
  type FormatName,
  REPORT_FORMATS,
  type ReportFormatName,
  STACK_FORMATS,
} from './model/format-names';
export { type JsonObject, type JsonValue } from './model/json';
export { MigrationError, type MigrationErrorOptions } from './model/migration-error';
export {
  type KnownGroup,
  type KnownOldWaf,
  type KnownPackage,
  type KnownRule,
  type OldFirewallRule,
  type OldGroup,
  type OldOverride,
  type OldPackage,
  type OldPageRule,
  type OldRule,
  type OldSettings,
  type OldSwitch,
} from './model/old-settings';
export { PROVIDER_MAJORS, type ProviderMajor } from './model/provider-majors';
export {
  type DeclaredRule,
  type DeclaredRuleset,
  type Ruleset,
  type RulesetRule,
} from './model/ruleset';
export { type TerraformVersion } from './model/version-range';
export { type Configuration } from './plan/planned-state';
export { parsePlan } from './plan/parse-plan';
export {
  type Expects,
  type Method,
  type Plan,
  type PlanState,
  type PlanZone,
  type Run,
  type Step,
  type StepKind,
} from './plan/plan';
export { planMigration } from './plan/plan-migration';
export {
  type DeclaredRulesetAddress,
  type OtherStack,
  type OtherWorkspace,
  type OwnedRuleset,
  type PlannedState,
  type PlannedZone,
  type RetiredResource,
} from './plan/planned-state';
export { type OldWafType, oldWafTypes } from './state/old-waf-types';
export { parseState } from './state/parse-state';
export { type OldResource, pickOldResources } from './state/pick-old-resources';
export { type ProviderAddress } from './state/provider-address';
export {
  type InstanceKey,
  type ResourceCount,
  type ResourceMode,
  type State,
  type StateInstance,
  type StateResource,
} from './state/state';
export { builtInCatalogue } from './translate/catalogue/built-in-catalogue';
export {
  type Basis,
  type Catalogue,
  groupKey,
  type LegacyGroup,
  type LegacyRule,
  type ManagedRule,
  type Successor,
} from './translate/catalogue/catalogue';
export { extendCatalogue, parseUserCatalogue } from './translate/catalogue/user-catalogue';
export { type CatalogueMatch, lookup } from './translate/catalogue/lookup';
export { reportFormats } from './translate/formats/registry';
export { type Report, type ZoneReport } from './translate/formats/report';
export {
  type NewRuleRow,
  type OverrideRow,
  type Parity,
  type ParitySummary,
  type SettingRow,
  type Status,
  statuses,
} from './translate/parity/parity';
export { type PackageKind } from './translate/reading/index-zone';
export { type TranslateOptions } from './translate/reading/read-context';
export { type SettingKind } from './translate/reading/verdict';
export {
  compareZone,
  translateZone,
  type Translation,
  type ZoneComparison,
} from './translate/translate-zone';
