import { type RuleAnswer, type RulesetAnswer } from './arbitrary-ruleset';
import { hazards } from './arbitrary-text';

const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee';
const OWASP = '4814384a9e5d4991b9815dcfc25d2f1f';
const CREDENTIALS = 'c2e184081120413c86c3ab7e14069605';
const SCORING = '6179ae15870a4bb7b2d480d4843b323c';
const id = (digit: string, number: number): string => digit + number.toString(16).padStart(31, '0');

const ACTIONS = ['block', 'challenge', 'js_challenge', 'managed_challenge', 'log'] as const;
const SENSITIVITIES = ['default', 'low', 'medium', 'eoff'] as const;
const SKIPS: Record<string, unknown> = {
  ruleset: 'current',
  rulesets: [MANAGED, OWASP],
  // not in the order of the alphabet: lists keep theirs
  rules: { [OWASP]: [id('d', 9), id('d', 2)], [MANAGED]: [id('d', 5)] },
  phases: ['http_request_firewall_managed', 'http_ratelimit'],
  products: ['waf', 'bic', 'zoneLockdown'],
};

const execute = (managed: string, overrides?: object): Partial<RuleAnswer> => ({
  action: 'execute',
  action_parameters: { id: managed, version: 'latest', ...(overrides ? { overrides } : {}) },
});

function entryPoint(
  rules: Partial<RuleAnswer>[],
  more: Partial<RulesetAnswer> = {},
): RulesetAnswer {
  return {
    id: 'f'.repeat(32),
    name: 'default',
    description: '',
    kind: 'zone',
    phase: 'http_request_firewall_managed',
    version: '3',
    last_updated: '2024-03-01T10:00:00.000000Z',
    ...more,
    rules: rules.map((rule, index) => {
      const own = id('e', index + 1);
      const complete = { action: 'execute', expression: 'true', enabled: true, ref: own };
      const times = { version: '1', last_updated: '2024-03-01T10:00:00.000000Z' };
      return { ...complete, ...times, ...rule, id: own };
    }),
  };
}

/** The rulesets with which the generator is tested: one with every feature, and those of unusual size or text. */
export const corpus = {
  'every feature': entryPoint(
    [
      ...ACTIONS.map((action) => ({ action, expression: `(http.host eq "${action}")` })),
      { ...execute(MANAGED), ref: 'managed-main', description: 'the main one' },
      ...Object.entries(SKIPS).flatMap(([form, value]) =>
        [true, false].map((enabled) => ({
          action: 'skip',
          expression: `(http.request.uri.path eq "/${form}")`,
          action_parameters: { [form]: value },
          logging: { enabled },
        })),
      ),
      execute(MANAGED, {
        rules: [
          ...ACTIONS.map((action, index) => ({
            id: id('a', index),
            action,
            enabled: index % 2 === 0,
          })),
          { id: id('a', 10), enabled: false },
          { id: id('a', 11), action: 'log' },
          ...SENSITIVITIES.map((sensitivity_level, index) => ({
            id: id('a', 20 + index),
            sensitivity_level,
          })),
        ],
        categories: [
          { category: 'wordpress', action: 'block', enabled: true },
          { category: 'php', enabled: false },
          { category: 'apache', action: 'log' },
        ],
      }),
      execute(MANAGED, { action: 'log', enabled: true, sensitivity_level: 'low' }),
      { ...execute(MANAGED), expression: '(http.host ne "a.example.com")', enabled: false },
      execute(OWASP, {
        categories: [2, 3, 4].map((level) => ({
          category: `paranoia-level-${level}`,
          enabled: false,
        })),
        rules: [{ id: SCORING, action: 'managed_challenge', score_threshold: 25 }],
      }),
      execute(CREDENTIALS, { enabled: false }),
      {
        action: 'log',
        expression: '(http.request.uri.path eq "/login")',
        exposed_credential_check: {
          username_expression: 'url_decode(http.request.body.form["user"][0])',
          password_expression: 'url_decode(http.request.body.form["pass"][0])',
        },
      },
      {
        action: 'execute',
        action_parameters: {
          id: MANAGED,
          version: 'latest',
          matched_data: { public_key: 'Ycig/Zr/pZmklmFUN99nr+taURlYItL91g+NcHGYpB8=' },
        },
      },
    ],
    {
      name: 'Haupt-WAF  für Größe 中文 "x" ${y}',
      description: 'ours: %{if}, */ and \n a second line',
    },
  ),
  'a thousand overrides': entryPoint([
    execute(MANAGED, {
      rules: Array.from({ length: 1000 }, (_, index) => ({
        id: id('a', index),
        action: index % 3 === 0 ? 'log' : 'block',
        enabled: index % 2 === 0,
      })),
    }),
  ]),
  'every hazard wherever text can be': entryPoint(
    hazards.flatMap((hazard) => {
      const text = `a${hazard}b`.normalize('NFC');
      return [
        {
          ...{ ref: text, action: text, expression: text, description: text },
          action_parameters: {
            products: [text, text, text, text],
            rules: { [text]: ['a'] },
            matched_data: { public_key: text },
          },
          exposed_credential_check: { username_expression: text, password_expression: text },
        },
        execute(MANAGED, { categories: [{ category: text, action: 'log' }] }),
      ];
    }),
  ),
  'a name, a description and an expression of many KB': entryPoint(
    [{ ...execute(MANAGED), expression: `(http.host eq "${'x'.repeat(5000)}")` }],
    { name: 'n'.repeat(10_240), description: 'd'.repeat(10_240) },
  ),
} satisfies Record<string, RulesetAnswer>;
