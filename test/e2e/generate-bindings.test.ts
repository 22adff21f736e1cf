import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import fc from 'fast-check';
import { configRuleset, liveRuleset } from '../generate/support/arbitrary-ruleset';
import { corpus } from '../generate/support/corpus';
import { everything } from '../generate/support/everything';
import { expectedResource } from '../generate/support/expected-resource';
import { textOf } from '../generate/support/generate-files';
import { readStack } from '../generate/support/read-back';
import { typeErrors } from '../generate/support/type-check';
import { pathsWith, requireWith } from '../support/cdktf-project';
import { temporaryFolder } from '../support/temporary-folder';

const installed = join(__dirname, '../bindings/node_modules');
const published = join(__dirname, '../../node_modules/@cdktf/provider-cloudflare/lib');

/**
 * Creates a project with the real core of CDK Terrain. No registry has its bindings: they are the bindings of
 * CDKTF with the other core name, as their generator writes them.
 */
function cdktnProject() {
  const modules = join(temporaryFolder(), 'node_modules');
  const bindings = join(modules, '@cdktn/provider-cloudflare');
  for (const part of ['ruleset', 'provider']) {
    const folder = join(bindings, 'lib', part);
    mkdirSync(folder, { recursive: true });
    for (const file of readdirSync(join(published, part))) {
      const text = readFileSync(join(published, part, file), 'utf8');
      writeFileSync(join(folder, file), text.replace(/(['"])cdktf\1/g, '$1cdktn$1'));
    }
  }
  for (const name of ['cdktn', 'constructs']) {
    symlinkSync(join(installed, name), join(modules, name), 'dir');
  }
  const load = createRequire(join(modules, 'any.js'));
  return {
    load: (name: string): any => load(name === 'cdktf' ? 'cdktn' : name),
    paths: {
      '@cdktn/provider-cloudflare/*': [join(bindings, '*')],
      cdktn: [join(modules, 'cdktn')],
      constructs: [join(modules, 'constructs')],
    },
  };
}

/** In Terraform JSON, a single block means the same as a list of one: the oldest bindings write it. */
function unlisted(value: any): any {
  if (Array.isArray(value)) {
    const items = value.map(unlisted);
    return items.length === 1 && typeof items[0] === 'object' ? items[0] : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unlisted(inner)]));
}

const bindingsOf = (provider: 3 | 4) => ({
  options: { provider, format: 'cdktf' } as const,
  project: () => ({ paths: pathsWith(provider), load: requireWith(provider) }),
  settle: unlisted,
});
const cdktn = {
  options: {
    ...({ provider: 5, format: 'cdktf', flavor: 'cdktn' } as const),
    bindings: '@cdktn/provider-cloudflare/lib',
  },
  project: cdktnProject,
  settle: (value: unknown) => value,
};

describe.each([
  ['the bindings of provider 3', bindingsOf(3)],
  ['the bindings of provider 4', bindingsOf(4)],
  ['the core of CDK Terrain', cdktn],
])('with %s, an emitted stack', (name, { options, project, settle }) => {
  const textFor = (answer: unknown): string => textOf(answer, options);

  it('compiles under strict', () => {
    const random = [...fc.sample(liveRuleset, 20), ...fc.sample(configRuleset, 10)];
    const sources = [...Object.values(corpus), everything(), ...random].map(textFor);
    expect(typeErrors(sources, project().paths)).toEqual([]);
    const imported = /from "@?cdktf\b/.test(textFor(everything()));
    expect(imported).toBe(name !== 'the core of CDK Terrain');
  }, 300_000);

  it.each(Object.entries(corpus))('is synthesised to %s', (_, answer) => {
    const resource = readStack(textFor(answer), 'managed_rules', project().load);
    expect(settle(resource)).toEqual(settle(expectedResource(answer, options.provider)));
  });
});
