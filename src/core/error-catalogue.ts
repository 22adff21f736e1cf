/**
 * Every code that a `MigrationError` can carry, with its default hint (in the imperative).
 * Closed: a new failure gets a line here. Codes are API; messages and hints are not.
 */
export const errorCatalogue = {
  USAGE: 'run the command with --help',
  DECLINED: 'pass --yes to confirm without a terminal',
  DECISIONS_OPEN: 'pass --accept with the code of each decision',

  CREDENTIALS_MISSING:
    'set CLOUDFLARE_API_TOKEN, or CLOUDFLARE_EMAIL with CLOUDFLARE_API_KEY, or pass --token-file',
  BASE_URL_INVALID:
    'pass an https URL such as https://api.cloudflare.com/client/v4; http is for this machine alone',
  PROXY_INVALID:
    'set HTTPS_PROXY to http://<host>:<port>, https or with <user>:<password>@ before the host, or unset it',
  API_UNAUTHORIZED: 'check the credentials and that they may read and edit this zone (Zone WAF)',
  API_NOT_FOUND: 'check the zone id and the base URL',
  API_REFUSED:
    'fix what the message names, or send it with its Ray ID to the support of Cloudflare',
  API_RATE_LIMITED: 'wait five minutes, then run the command again',
  API_UNAVAILABLE: 'try again later; check https://www.cloudflarestatus.com',
  API_UNREACHABLE: 'check --base-url and the network',
  API_TIMEOUT: 'try again; check --base-url and the network',
  API_RESPONSE_INVALID: 'check that --base-url is the service and that no proxy answers for it',
  API_RESPONSE_TOO_LARGE: 'check that --base-url is the service',

  ZONE_ID_INVALID: 'pass the zone id: 32 hexadecimal digits, from the overview page of the zone',
  ZONES_FILE_INVALID: 'pass a text file with a zone id or name on each line, or a CSV file',
  ZONES_EMPTY: 'check the list or the account: a run over no zone is most likely a mistake',
  ZONE_AMBIGUOUS: 'write the id of the zone that you mean in place of its name',
  ZONE_CONTRADICTED: 'correct the id or the name of this line, whichever is wrong',
  ZONE_NOT_REACHED: 'check the id or name, and that the credentials may read this zone',
  ZONE_OF_OTHER_ACCOUNT: 'take it off the list, or leave out --account',
  ZONE_NOT_PLANNED: 'plan it, or take it off the list',
  PLAN_OF_OTHER_ZONES: 'list all zones of the plan, or plan again without them',
  PLANS_OVERLAP: 'keep one of the two plans, or make one plan of both',
  LEDGER_INVALID: 'pass the ledger of an earlier run, or the path of a new one',
  FLEET_RUNNING: 'wait until it ends, or pass another --ledger',
  MIGRATION_BLOCKED: 'resolve each blocker, then run the command again',
  ZONE_NOT_COMPATIBLE: 'see what blocks the zone: cf-waf-migrate check --zone <id>',
  FILTER_IN_USE: 'delete or change the rules that use the filter first',
  FILTER_EXISTS: 'refer to the filter that is there: pass --filter-id',
  FIREWALL_RULE_NOT_CREATED: 'create the rule with a reference to the filter that stayed',
  FIREWALL_RULE_MISSING: 'list the rules: cf-waf-migrate firewall rules list --zone <id>',
  OVERRIDE_INVALID: 'pass a file that `firewall overrides delete` saved, or the flags of --help',
  ID_INVALID:
    'pass 32 hexadecimal digits: of an account from its overview page, of anything else as its `list` command prints it',
  RULESET_ID_INVALID: 'pass the id of the entry point ruleset: 32 hexadecimal digits',
  RULESET_INVALID: 'pass the saved answer of the config or the entry point endpoint, unchanged',
  RULESET_EMPTY: 'check the source: an empty ruleset would switch the protection off',
  ENTRY_POINT_MISSING: 'the zone has no entry point yet: use --source config',

  OLD_SETTINGS_MISSING: 'pass a zone and a state that belong together',
  MANAGED_RULESET_INVALID:
    'pass the saved answer of GET /zones/<zone>/rulesets/<id> for the Cloudflare Managed Ruleset',
  CATALOGUE_INVALID: 'pass a file in the format of docs/catalogue.md',

  STATE_UNREADABLE: 'pass a readable state file, or - for standard input',
  STATE_INVALID: 'pass a Terraform state, as `terraform state pull` prints it',
  STATE_VERSION_UNSUPPORTED:
    'pass what `terraform state pull` of Terraform 0.12 or later prints: it is version 4',
  STATE_ENCRYPTED: 'pass the decrypted state: `tofu state pull` prints it',

  ADDRESS_INVALID: 'pass the address of a resource instance, as `terraform state list` prints it',

  CONFIG_INVALID:
    'correct the file (`terraform validate` names the place), or edit it by hand where Terraform accepts it',
  CONFIG_CHANGED: 'plan again: the file is no longer the one that the plan was made for',
  CONFIG_EDIT_REFUSED: 'edit the file by hand, then plan again',

  PLAN_NOT_EMPTY:
    'look at the plan of Terraform, fix what differs, then run the same command again',
  STATE_CHANGED: 'plan again: the state changed after the plan was made',
  PLACE_CHANGED:
    'set TF_WORKSPACE and TF_DATA_DIR, and select the workspace, as when the plan was made',
  REHEARSAL_IMPOSSIBLE:
    'take out of the project what is named, or carry the plan out with `apply`, which can be rolled back',
  RULESET_NOT_LIVE: 'plan again: what was planned is not the live entry point of the zone',
  BACKUP_INVALID: 'do not roll back from it: look for another copy of the backup',
  BACKUP_FOLDER_UNSAFE:
    'check what is in it, move it away, then run the same command again: the folder is created anew',
  JOURNAL_INVALID: 'pass the journal that `apply` named, or begin with a new plan',
  APPLY_RUNNING: 'wait until it ends',
  METHOD_UNSUITABLE: 'leave out --method: the order is then chosen by facts',
  PLAN_INVALID: 'make the plan again: cf-waf-migrate plan --out plan.json',

  FILE_UNREADABLE: 'check the path and its permissions',
  FILE_EXISTS: 'pass --force to overwrite it, or another --out',
  FILE_UNWRITABLE: 'check that the folder exists, is writable, and has space',
  OUTPUT_UNWRITABLE: 'check where standard output goes: it may be full',
  PROJECT_UNSUITABLE:
    'pass --format tfjson for a program in another language, another --out, or --project for a new project',
  ADDRESS_TAKEN: 'pass another --address, or another --out',
  ENTRY_POINT_DECLARED: 'keep the ruleset that is declared, or take it out before',

  SYNTH_FAILED:
    'install cdktf, constructs, @cdktf/provider-cloudflare and tsx in the project, then synthesise again',
  TERRAFORM_MISSING: 'install terraform, or pass --terraform <path>',
  TERRAFORM_PLAN_INVALID: 'pass what `terraform show -json <plan file>` prints',
  TERRAFORM_FAILED: 'run the same command by hand in that folder',
  STATE_LOCKED: 'wait until the other process has ended, then run the same command again',
  TERRAFORM_TIMEOUT: 'check the backend, or pass --terraform-timeout with more seconds',

  REVIEW_ENGINE_MISSING:
    'install DuckDB, or print the query for Spark with `review --sql spark`:\nnpm install @duckdb/node-api',
  EVENTS_MISSING: 'pass files of the log export (firewall_events), a folder of them, or -',
  EVENTS_INVALID:
    'pass the log export firewall_events as NDJSON or Parquet, or pages of the GraphQL answer',
  REVIEW_RESULT_INVALID: 'pass the result table of the query that `review --sql` printed',
  REVIEW_BASELINE_INVALID: 'pass what an earlier `review --json` printed',
  PROPOSAL_IMPOSSIBLE: 'pass --config with the configuration that is to be changed',

  EMULATOR_PORT: 'pass another --port, or 0 for a free one',
  SCENARIO_INVALID: 'pass the name of a scenario or a file in the format of docs/emulator.md',
} as const;

/** A code of {@link errorCatalogue}. */
export type ErrorCode = keyof typeof errorCatalogue;
