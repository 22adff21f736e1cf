import { type Ruleset } from '../../../src/core/ruleset';
import { holds } from './evaluate';
import { type LegacySettings } from '../../../src/translate/legacy-settings';

/** A request, as far as legacy patterns and new expressions look at it. */
export interface ModelRequest {
  readonly ssl: boolean;
  /** As the client wrote it: in any case. */
  readonly host: string;
  /** Begins with a slash. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
}

/** Whether an expression holds for a request, by the evaluator of the emulator. */
export function expressionMatches(
  expression: string,
  { ssl, host, path, query }: ModelRequest,
): boolean {
  const uri = path + (query === '' ? '' : `?${query}`);
  const fields = new Map<string, string | boolean>([
    ['ssl', ssl],
    ['http.host', host],
    ['http.request.uri.path', path],
    ['http.request.uri', uri],
  ]);
  return holds(expression, (name) => fields.get(name));
}

/**
 * A model of the legacy matcher, as docs/report.md assumes it, written apart from the code: it
 * splits a pattern and walks both texts by recursion.
 */
export function legacyMatches(
  pattern: string,
  request: ModelRequest,
  kind: 'override' | 'page-rule',
): boolean {
  let rest = pattern;
  const scheme = /^([^/]*):\/\//.exec(rest);
  if (scheme !== null) {
    rest = rest.slice(scheme[0].length);
    const name = scheme[1]!.toLowerCase();
    if (name === 'https' && !request.ssl) return false;
    if (name === 'http' && request.ssl) return false;
  }
  const query = kind === 'page-rule' && request.query !== '' ? `?${request.query}` : '';
  const target = request.path + query;
  const host = request.host.toLowerCase();
  const slash = rest.indexOf('/');
  if (slash >= 0) {
    return glob(rest.slice(0, slash).toLowerCase(), host) && glob(rest.slice(slash), target);
  }
  // no path: a trailing star covers it; a page rule is saved with a slash
  const isPath = rest.endsWith('*') || (kind === 'page-rule' && target === '/');
  return isPath && glob(rest.toLowerCase(), host);
}

/** Whether a text matches a pattern in which `*` stands for any run of characters. */
export function glob(pattern: string, text: string): boolean {
  if (pattern === '') return text === '';
  if (pattern.startsWith('*')) {
    return glob(pattern.slice(1), text) || (text !== '' && glob(pattern, text.slice(1)));
  }
  return text !== '' && pattern[0] === text[0] && glob(pattern.slice(1), text.slice(1));
}

/** What a rule does to a request: `off`, `default`, `does log`. */
type Doing = string;

const actions: Record<string, string> = {
  simulate: 'log',
  block: 'block',
  challenge: 'managed_challenge',
};

/**
 * What a rule of the legacy Cloudflare package does to a request: an override that matches can disable the
 * rule, or its group.
 */
export function legacyDoing(
  legacy: LegacySettings,
  ruleId: string,
  groupId: string,
  request: ModelRequest,
): Doing {
  const isOff =
    legacy.groups.some((one) => one.groupId === groupId && one.mode === 'off') ||
    legacy.overrides.some(
      ({ paused, urls, rules, groups }) =>
        !paused &&
        urls.some((url) => legacyMatches(url, request, 'override')) &&
        [rules[ruleId], groups[groupId]].includes('disable'),
    );
  const own = legacy.rules.find((one) => one.ruleId === ruleId)?.mode ?? 'default';
  return isOff ? 'off' : doing(own);
}

function doing(mode: string): Doing {
  if (mode === 'disable' || mode === 'off') return 'off';
  return mode === 'default' || mode === 'on' ? 'default' : `does ${actions[mode]!}`;
}

/**
 * What a rule of a managed ruleset does to a request, once for each rule of the entry point that runs
 * that ruleset for it: a model of the ruleset engine, in which an exception holds for the rules behind it.
 */
export function newDoings(
  { rules }: Ruleset,
  managed: string,
  id: string,
  request: ModelRequest,
): Doing[] {
  const doings: Doing[] = [];
  let skipped = false;
  for (const { action, expression, fields, enabled } of rules) {
    if (enabled === false || !expressionMatches(expression, request)) continue;
    const parameters = fields['action_parameters'] as Record<string, any>;
    if (action === 'skip') {
      if (parameters['ruleset'] === 'current') return doings;
      skipped ||=
        parameters['rulesets']?.includes(managed) || parameters['rules']?.[managed]?.includes(id);
    } else if (parameters['id'] === managed) {
      const override = parameters['overrides']?.rules?.find((one: { id: string }) => one.id === id);
      if (skipped || override?.enabled === false) doings.push('off');
      else doings.push(override?.action ? `does ${override.action as string}` : 'default');
    }
  }
  return doings;
}
