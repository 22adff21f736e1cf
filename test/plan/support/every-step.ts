import { type Plan, type Step } from '../../../src/plan/plan-schema';

const terraform = (...args: readonly string[]) => ({ argv: ['terraform', ...args] });
const inFolder = (...args: readonly string[]) => terraform('-chdir=a b', ...args);
const many = Array.from({ length: 10 }, (_, at) => `cloudflare_waf_rule.r["it's ${at}"]`);
/** Longer than a text shows of it. */
const longDiff = `--- a/long.tf\n+++ b/long.tf\n@@ -1,60 +0,0 @@\n${Array.from({ length: 60 }, (_, at) => `-line ${at}\n`).join('')}`;
const edit = (file: string, more: object = {}) => ({
  ...{ file, sha256: 'b'.repeat(64), sha256After: 'c'.repeat(64) },
  remove: [{ address: 'cloudflare_waf_rule.r', startLine: 1, endLine: 3 }],
  diff: '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-one\u001b[2J\n+two\n three\n',
  ...more,
});
const step = (kind: Step['kind'], more: Omit<Partial<Step>, 'id'> = {}): Omit<Step, 'id'> => ({
  ...{ kind, state: 'main', title: `Do what ${kind} does`, why: `it is <${kind}> & *more*` },
  ...more,
});
const imported = (address: string) =>
  step('import', {
    runs: [inFolder('import', '-input=false', address, 'zone/1/2')],
    addresses: [address],
    importId: 'zone/1/2',
    expects: { present: [address] },
  });
const byHand = (address: string, more: object = {}) =>
  step('manual', { addresses: [address], ...more });
const applied = (run: typeof terraform, plan: 'import-and-forget' | 'empty') =>
  step('apply-blocks', {
    runs: [run('plan', '-out=p'), run('show', '-json', 'p'), run('apply', 'p')],
    ...{ addresses: many.slice(0, 1), expects: { gone: many.slice(0, 1), present: [], plan } },
  });
const removal = (addresses: readonly string[]) =>
  step('remove', {
    runs: [terraform('state', 'rm', ...addresses)],
    ...{ addresses, expects: { gone: addresses } },
  });

const steps: readonly Omit<Step, 'id'>[] = [
  step('backup', { runs: [{ ...terraform('state', 'pull'), saveTo: 'cf backup/main.tfstate' }] }),
  step('backup', { runs: [inFolder('state', 'pull')], state: 'other\u001b[2J' }),
  step('backup', { runs: [{ ...terraform('state', 'pull'), saveTo: 'x' }], state: 'gone' }),
  imported('cloudflare_ruleset.a'),
  imported('module.m["`x`"].cloudflare_ruleset.b'),
  step('check', {
    runs: [inFolder('plan', '-detailed-exitcode', `-target=${many[0]}`)],
    expects: { plan: 'target-empty' },
  }),
  step('remove-dry-run', {
    runs: [inFolder('state', 'rm', '-dry-run', ...many)],
    addresses: many,
  }),
  removal(many.slice(0, 8)),
  removal(many.slice(0, 1)),
  step('edit', {
    states: ['main', 'other\u001b[2J'],
    edits: [
      edit('a b/main.tf'),
      edit('new.tf', { sha256: null, remove: [], insert: 'new {}\n', diff: '+new {}\n' }),
      edit('both.tf', { remove: [...edit('').remove, ...edit('').remove] }),
      edit('long.tf', { diff: longDiff }),
    ],
  }),
  byHand('by.hand', { runs: [{ argv: ['cf-waf-migrate', 'generate', '--out', 'a b'] }] }),
  byHand('by.hand\u202e["two"]', { runs: [{ argv: ['cf-waf-migrate', 'generate'] }] }),
  byHand('no.runs', { places: { 'no.runs': 'a b/main.tf:3\u001b[2J' } }),
  step('manual', { addresses: many, code: 'const a = "`$`";\n\n// the `end`\n' }),
  applied(inFolder, 'import-and-forget'),
  applied(terraform, 'empty'),
  step('upgrade-provider', { runs: [terraform('init', '-upgrade')], provider: '5.22.0' }),
  step('manual', { title: `A title that is ${'far '.repeat(30)}too long for one line` }),
];

const state = (name: string, more: object = {}): Plan['states'][number] => ({
  ...{ name, dir: '.', workspace: 'default', lineage: `lineage-of-${name}`, serial: 7 },
  ...{ terraformVersion: '1.11.4', provider: { from: '3.35.0', to: '3.35.0' } },
  ...{ method: 'commands', because: 'the provider stays' },
  ...more,
});
const finding = (severity: Plan['findings'][number]['severity'], code: string) => ({
  ...{ code, severity, subject: `\`${code}\`` },
  ...{ message: `it is ${severity} for @them`, remedy: 'read on' },
});

/** A plan with every kind of step, whole and with what may be missing, and hostile words in it. */
export const everyStep: Plan = {
  format: 'cf-waf-migrate/plan',
  formatVersion: 1,
  digest: 'd'.repeat(64),
  zones: ['1', '2'].map((digit) => ({
    zoneId: digit.repeat(32),
    ruleset: {
      id: digit.repeat(32),
      ...{ address: `cloudflare_ruleset.z${digit}["\`"]`, importId: 'zone/1/2', state: 'main' },
    },
  })),
  states: [
    state('main', { provider: { from: '3.35.0', to: '5.22.0' } }),
    state('other\u001b[2J', { dir: 'a b', workspace: '`w`', lineage: "it's", serial: 0 }),
    state('idle', { method: 'blocks' }),
  ],
  steps: steps.map((one, index): Step => ({ id: String(index + 1), ...one })),
  findings: [
    finding('info', 'KNOW'),
    { ...finding('decision', 'DECIDE'), title: 'A decision to make' },
    finding('blocker', 'BLOCKED'),
    finding('decision', 'DECIDE_TOO'),
  ],
};

/** A plan of nothing. */
export const noStep: Plan = { ...everyStep, zones: [], states: [], steps: [], findings: [] };
