/** Every code of a `MigrationError`, with its default hint. Codes are API; messages and hints are not. */
export const errorCatalogue = {
  USAGE: 'run the command with --help',
  DECLINED: 'pass --yes to confirm without a terminal',
  DECISIONS_OPEN: 'pass --accept with the code of each decision',

  CREDENTIALS_MISSING:
    'set CLOUDFLARE_API_TOKEN, or CLOUDFLARE_EMAIL with CLOUDFLARE_API_KEY, or pass --token-file',
  BASE_URL_INVALID:
    'pass an https URL such as https://api.cloudflare.com/client/v4; http works only for this machine',
  PROXY_INVALID: 'set HTTPS_PROXY to http[s]://[<user>:<password>@]<host>:<port>, or unset it',
  API_UNAUTHORIZED: 'check the credentials, and their permission Zone WAF Read for this zone',
  API_NOT_FOUND: 'check the zone id and the base URL',
  API_REFUSED: 'fix what the message names, or send it with its Ray ID to Cloudflare support',
  API_RATE_LIMITED: 'wait five minutes, then run the command again',
  API_UNAVAILABLE: 'try again later; check https://www.cloudflarestatus.com',
  API_UNREACHABLE: 'try again; check --base-url and the network',
  API_RESPONSE_INVALID: 'check --base-url, and whether a proxy or login page answers',

  ZONES_FILE_INVALID: 'pass a text file with a zone id or name on each line, or a CSV file',
  ZONES_EMPTY: 'check the list or the account',
  ZONE_AMBIGUOUS: 'pass the id of the zone instead of its name',
  ZONE_CONTRADICTED: 'correct the id or the name on this line',
  ZONE_NOT_REACHED: 'check the id or name, and whether the credentials can read this zone',
  ZONE_NOT_PLANNED: 'plan it, or remove it from the list',
  PLAN_OF_OTHER_ZONES: 'list all zones of the plan, or plan again without them',
  PLANS_OVERLAP: 'delete both plans, then plan the list again',
  LEDGER_INVALID:
    'pass the ledger of an earlier run with --ledger; a command for many zones also accepts the path of a new one',
  FLEET_RUNNING: 'wait until it ends, or pass another --ledger',
  MIGRATION_BLOCKED: 'resolve each blocker, then run the command again',
  FILTER_IN_USE: 'delete or change the rules that use the filter first',
  FIREWALL_RULE_NOT_CREATED: 'create the rule with --filter-id and the id of that filter',
  OVERRIDE_INVALID: 'pass a file that `firewall overrides delete` saved, or the options of --help',
  ID_INVALID: 'pass the id as the Cloudflare API shows it: 32 lower-case hexadecimal digits',
  RULESET_INVALID: 'pass what `fetch-config` saved, or the saved entry point ruleset, unchanged',
  RULESET_EMPTY: 'check the source: an empty ruleset would disable the protection',
  ENTRY_POINT_MISSING:
    'pass config instead of live to --source or --against: the zone has not migrated',

  OLD_SETTINGS_MISSING: 'pass a state that contains legacy settings of this zone',
  STATE_UNREADABLE: 'pass a readable state file, or - for standard input',
  // tfstate/parse-state.ts replaces this hint for files that users pass by mistake
  STATE_INVALID: 'pass the output of `terraform state pull`',
  STATE_VERSION_UNSUPPORTED: 'pass the output of `terraform state pull` of Terraform 0.12 or later',
  STATE_ENCRYPTED: 'pass the output of `tofu state pull`, which is decrypted',

  ADDRESS_INVALID: 'pass the address of a resource instance, as `terraform state list` prints it',

  CONFIG_INVALID:
    'correct the file (`terraform validate` names the place), or edit it by hand if Terraform accepts it',
  CONFIG_CHANGED:
    'plan again: the file changed after the plan was made. If only its line endings differ, check it out with the same `core.autocrlf`',
  CONFIG_EDIT_REFUSED: 'edit the file by hand, then plan again',

  PLAN_NOT_EMPTY: 'fix the differences, then run the same command again',
  STATE_CHANGED: 'plan again, with the same options',
  PLACE_CHANGED: 'set TF_WORKSPACE and TF_DATA_DIR to the values of the plan',
  REHEARSAL_IMPOSSIBLE: 'remove what the message names, or run `apply`, which can be rolled back',
  RULESET_NOT_LIVE: 'plan again: the planned ruleset is not the live entry point of the zone',
  BACKUP_INVALID: 'do not roll back from it: use another copy of the backup',
  BACKUP_FOLDER_UNSAFE: 'check its contents, move it away, then run the same command again',
  JOURNAL_INVALID: 'pass the journal that `apply` named, or plan again',
  APPLY_RUNNING: 'wait until it ends',
  RUN_INTERRUPTED: 'resume the run or roll it back:\ncf-waf-migrate apply\ncf-waf-migrate rollback',
  METHOD_UNSUITABLE: 'omit --method',
  PLAN_INVALID: 'plan again, with the same options',

  FILE_UNREADABLE: 'check the path and its permissions',
  FILE_EXISTS: 'pass --force to overwrite it, or another --out',
  FILE_UNWRITABLE: 'check that the path is a regular file in a writable folder with space',
  OUTPUT_UNWRITABLE: 'check the disk or program that receives the output',
  PROJECT_UNSUITABLE: 'pass another --out, or --project for a new project',
  ADDRESS_TAKEN: 'pass another --address, or another --out',
  ENTRY_POINT_DECLARED: 'keep the declared ruleset, or remove it first',

  TERRAFORM_MISSING: 'install terraform, or pass --terraform <path>',
  TERRAFORM_PLAN_INVALID: 'pass the output of `terraform show -json <plan file>`',
  // terraform/failures.ts replaces these two hints where it knows the cause or the lock
  TERRAFORM_FAILED: 'run the same command by hand in that folder',
  STATE_LOCKED: 'wait until the other process has ended, then run the same command again',
  TERRAFORM_TIMEOUT: 'check the backend, or pass a higher --terraform-timeout',

  REVIEW_ENGINE_MISSING:
    'install DuckDB, or print the query for Spark with `review --sql spark`:\nnpm install --global @duckdb/node-api',
  EVENTS_MISSING: 'pass files of the Logpush dataset firewall_events, a folder of them, or -',
  EVENTS_INVALID:
    'pass the Logpush dataset firewall_events as JSON lines, plain or gzip, or read sampled events with:\ncf-waf-migrate review --zone ZONE --since 6h',
  REVIEW_RESULT_INVALID: 'pass the result of the query that `review --sql` printed',
  REVIEW_BASELINE_INVALID: 'pass the output of an earlier `review --json`',
  PROPOSAL_IMPOSSIBLE: 'pass --config with the configuration to change',

  EMULATOR_PORT: 'pass another --port, or 0 for a free one',
  SCENARIO_INVALID: 'pass the name of a scenario or a file in the format of docs/emulator.md',
} as const;

/** A code of {@link errorCatalogue}. */
export type ErrorCode = keyof typeof errorCatalogue;
