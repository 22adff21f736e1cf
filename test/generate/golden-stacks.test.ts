import { generateStack, type StackRequest } from '../../src/generate/generate-stack';
import { parseRuleset } from '../../src/ruleset/parse-ruleset';
import { type GeneratedFile } from '../../src/generate/formats/format';
import { newProjectFiles } from '../../src/generate/new-project';
import { everything } from './support/everything';
import { ZONE } from './support/expected-resource';
import { expectGolden, goldenFiles } from './support/golden';
import { live, majors, override, overriding } from './support/live-answer';
import { richRuleset, troubledRuleset } from './support/rich-ruleset';

const formats = ['cdktf', 'hcl', 'tfjson'] as const;
const request = (answer: unknown, more: Partial<StackRequest> = {}): StackRequest => ({
  zone: { id: ZONE, name: 'example.com' },
  source: parseRuleset(answer),
  provider: 5,
  format: 'hcl',
  resourceName: 'managed_rules',
  preventDestroy: true,
  ...more,
});
/** Files as one text: a TypeScript or package.json of another provider is no file of this project. */
const inOne = (files: readonly GeneratedFile[]): string =>
  files.map(({ path, text }) => `===== ${path} =====\n${text}`).join('\n');
const filesOf = (asked: StackRequest): string => {
  const { resourceFile, providersFile } = generateStack(asked);
  return inOne([resourceFile, ...(providersFile ? [providersFile] : [])]);
};

const answers: Record<string, () => unknown> = { rich: richRuleset, everything };
const stacks = Object.keys(answers).flatMap((name) =>
  majors.flatMap((provider) => formats.map((format) => ({ name, provider, format }))),
);
const stackFile = ({ name, provider, format }: (typeof stacks)[0]): string =>
  `${name}-${provider}-${format}.txt`;

describe('a stack', () => {
  it.each(stacks)('of a ruleset of $name, for provider $provider in $format', (stack) => {
    const { name, provider, format } = stack;
    const text = filesOf(request(answers[name]?.(), { provider, format }));
    expectGolden('generate/stacks', stackFile(stack), text);
  });

  it('has no other file', () => {
    expect(goldenFiles('generate/stacks')).toEqual(stacks.map(stackFile).sort());
  });
});

const plain = live({ action: 'block' });
const proposal = { name: 'default', rules: [{ action: 'log', expression: 'true' }] };
const translated = (origin: 'state' | 'old') => ({ ...parseRuleset(proposal), origin });
const heads: Record<string, StackRequest> = {
  live: request(plain, { zone: { id: ZONE } }),
  'live-unguarded': request(plain, { preventDestroy: false }),
  'live-in-a-module': request(plain, { modulePath: 'module.waf["a b"].' }),
  'live-in-a-module-json': request(plain, { modulePath: 'module.waf.', format: 'tfjson' }),
  'live-cdktf': request(plain, { format: 'cdktf', preventDestroy: false }),
  'live-cdktn': request(plain, { format: 'cdktf', flavor: 'cdktn' }),
  'live-of-a-hostile-zone': request(plain, { zone: { id: ZONE, name: `\n\x1b${'x'.repeat(99)}` } }),
  proposed: request(proposal),
  'from-a-state': request(proposal, { source: translated('state'), provider: 4 }),
  'from-the-old-settings': request(proposal, {
    source: translated('old'),
    provider: 3,
    modulePath: "module.it's.",
  }),
};

describe('the head of a stack', () => {
  it.each(Object.keys(heads))('that is %s', (name) => {
    const asked = heads[name]!;
    const { address, importId, findings } = generateStack(asked);
    const told = JSON.stringify({ address, importId, findings }, null, 2);
    expectGolden('generate/heads', `${name}.txt`, `${filesOf(asked)}\n===== told =====\n${told}\n`);
  });

  it('has no other file', () => {
    const names = Object.keys(heads).map((name) => `${name}.txt`);
    expect(goldenFiles('generate/heads')).toEqual(names.sort());
  });
});

describe('what is told of a ruleset', () => {
  it.each(majors)('for provider %s', (provider) => {
    const { findings } = generateStack(request(troubledRuleset, { provider }));
    expectGolden('generate/findings', `${provider}.json`, `${JSON.stringify(findings, null, 2)}\n`);
  });

  it('that is proposed, and asked of who made it', () => {
    const expression = 'x'.repeat(4097);
    const { findings } = generateStack(
      request({ name: 'default', rules: [{ action: 'log', expression, enabled: true }] }),
    );
    expectGolden('generate/findings', 'long.json', `${JSON.stringify(findings, null, 2)}\n`);
  });
});

const refusals: Record<string, () => unknown> = {
  'no name of a resource': () => generateStack(request(plain, { resourceName: '1 "\n' })),
  'no reference to a provider': () =>
    generateStack(request(plain, { providerReference: 'cloudflare.a\n\nprovider "b" {}' })),
  'no id of a zone': () => generateStack(request(plain, { zone: { id: 'x' } })),
  'two rules of one ref': () => generateStack(request(live({ ref: 'a' }, { ref: 'a' }))),
  'two overrides of one rule': () =>
    generateStack(request(overriding({ rules: [override, override] }))),
  'another kind': () => parseRuleset({ ...plain, kind: 'root' }),
  'another phase': () => parseRuleset({ ...plain, phase: 'ddos_l7' }),
  'no rules': () => parseRuleset(live()),
  'no id': () => parseRuleset({ ...plain, id: '../x' }),
  'an answer that is none': () => parseRuleset([]),
  'a rule without an action': () => parseRuleset({ ...plain, rules: [{ expression: 'true' }] }),
  'a refusal of the service': () => parseRuleset({ success: false }),
  'no JSON': () => parseRuleset({ a: undefined }),
};

it('what is refused says why, and what to do', () => {
  const told = Object.entries(refusals).map(([name, attempt]) => {
    try {
      return [name, attempt()];
    } catch (error) {
      const { code, message, hint } = error as { code: string; message: string; hint?: string };
      return [name, { code, message, hint }];
    }
  });
  const text = `${JSON.stringify(Object.fromEntries(told), null, 2)}\n`;
  expectGolden('generate/refusals', 'all.json', text);
});

it('the path of a module stays in its comment, whatever it says', () => {
  const modulePath = 'module.a\nprovider "b" {}\n.';
  const { resourceFile } = generateStack(request(plain, { modulePath }));
  expect(resourceFile.text).not.toMatch(/^provider/m);
});

describe('a project of CDKTF', () => {
  it('for provider 5', () => {
    expectGolden('generate/project', 'cdktf.txt', inOne(newProjectFiles('', 5)));
  });

  it.each([
    [3, '5.0.3'],
    [4, '11.30.0'],
    [5, '13.9.1'],
  ] as const)('for provider %s has the last bindings made from it', (major, version) => {
    const files = newProjectFiles('', major);
    const textOf = (name: string) => files.find(({ path }) => path === name)?.text ?? '';
    expect(JSON.parse(textOf('package.json')).dependencies).toMatchObject({
      '@cdktf/provider-cloudflare': version,
    });
    expect(textOf('README.md')).toContain(`for provider ${major},`);
  });
});
