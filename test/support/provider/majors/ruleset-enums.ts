/** Kinds of a ruleset that the validators of provider 3 and 4 know. */
export const rulesetKinds = ['custom', 'managed', 'root', 'schema', 'zone'] as const;

/** Levels of sensitivity that the validators of all majors know. */
export const sensitivities = ['default', 'medium', 'low', 'eoff'] as const;

/** Actions of a rule that the validators of provider 3 and 4 know; "" is none. */
export const overrideActions = [
  'block',
  'challenge',
  'compress_response',
  'ddos_dynamic',
  'ddos_mitigation',
  'execute',
  'force_connection_close',
  'js_challenge',
  'log',
  'log_custom_field',
  'managed_challenge',
  'redirect',
  'rewrite',
  'route',
  'score',
  'serve_error',
  'set_cache_settings',
  'set_config',
  'skip',
] as const;
