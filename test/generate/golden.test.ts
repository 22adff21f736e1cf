import { generateStack, type StackRequest } from '../../src/generate/generate-stack';
import { type GeneratedFile } from '../../src/generate/formats/format';
import { newProjectFiles } from '../../src/generate/new-project';
import { parseRuleset } from '../../src/ruleset/parse-ruleset';
import { corpus } from './support/corpus';
import { everything } from './support/everything';
import { ZONE } from './support/expected-resource';
import { expectGolden, otherGoldenFiles } from './support/golden';
import { live, majors } from './support/live-answer';
import { standaloneFormats } from './support/read-back';

const request = (answer: unknown, more: Partial<StackRequest> = {}): StackRequest => ({
  zone: { id: ZONE, name: 'example.com' },
  source: parseRuleset(answer),
  provider: 5,
  format: 'hcl',
  resourceName: 'managed_rules',
  ...more,
});
const filesOf = ({ resourceFile, providersFile }: ReturnType<typeof generateStack>) => [
  resourceFile,
  ...(providersFile ? [providersFile] : []),
];
/** Files as one text: a TypeScript or package.json of another provider is no file of this project. */
const inOne = (files: readonly GeneratedFile[]): string =>
  files.map(({ path, text }) => `===== ${path} =====\n${text}`).join('\n');
const printed = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const answers: Record<string, unknown> = {
  rich: corpus['every feature'],
  everything: everything(),
};
const stacks = Object.keys(answers).flatMap((name) =>
  majors.flatMap((provider) =>
    standaloneFormats.map((format) => ({
      name,
      provider,
      format,
      file: `${name}-${provider}-${format}.txt`,
    })),
  ),
);

describe('a stack', () => {
  it.each(stacks)('of a ruleset of $name, for provider $provider in $format', (stack) => {
    const { name, provider, format, file } = stack;
    const generated = generateStack(request(answers[name], { provider, format }));
    expectGolden('generate/stacks', file, inOne(filesOf(generated)));
  });

  it('has no other file', () => {
    const names = stacks.map(({ file }) => file);
    expect(otherGoldenFiles('generate/stacks', names)).toEqual([]);
  });
});

const plain = live({ action: 'block' });
const proposal = { name: 'default', rules: [{ action: 'log', expression: 'true' }] };
const translated = (origin: 'state' | 'old') => ({ ...parseRuleset(proposal), origin });
const heads: Record<string, StackRequest> = {
  live: request(plain, { zone: { id: ZONE } }),
  'live-in-a-module': request(plain, { modulePath: 'module.waf["a b"].' }),
  'live-in-a-module-json': request(plain, { modulePath: 'module.waf.', format: 'tfjson' }),
  'live-cdktf': request(plain, { format: 'cdktf' }),
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
  it.each(Object.entries(heads))('that is %s', (name, asked) => {
    const stack = generateStack(asked);
    const { address, importId, findings } = stack;
    const text = `${inOne(filesOf(stack))}\n===== told =====\n${printed({ address, importId, findings })}`;
    expectGolden('generate/heads', `${name}.txt`, text);
  });

  it('has no other file', () => {
    const names = Object.keys(heads).map((name) => `${name}.txt`);
    expect(otherGoldenFiles('generate/heads', names)).toEqual([]);
  });
});

it('the path of a module stays in its comment', () => {
  const modulePath = 'module.a\nprovider "b" {}\n.';
  const { resourceFile } = generateStack(request(plain, { modulePath }));
  expect(resourceFile.text).not.toMatch(/^provider/m);
});

it('a project of CDKTF for provider 5', () => {
  expectGolden('generate/project', 'cdktf.txt', inOne(newProjectFiles('', 5)));
});
