import { generateStack, type StackRequest } from '../../src/generate/generate-stack';
import { parseRuleset } from '../../src/ruleset/parse-ruleset';
import { type GeneratedFile } from '../../src/generate/formats/format';
import { newProjectFiles } from '../../src/generate/new-project';
import { everything } from './support/everything';
import { ZONE } from './support/expected-resource';
import { expectGolden, goldenFiles } from './support/golden';
import { live, majors } from './support/live-answer';
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

it('the path of a module stays in its comment, whatever it says', () => {
  const modulePath = 'module.a\nprovider "b" {}\n.';
  const { resourceFile } = generateStack(request(plain, { modulePath }));
  expect(resourceFile.text).not.toMatch(/^provider/m);
});

it('a project of CDKTF for provider 5', () => {
  expectGolden('generate/project', 'cdktf.txt', inOne(newProjectFiles('', 5)));
});
