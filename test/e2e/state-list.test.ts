import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parseAddress, printAddress } from '../../src/core/resource-address';
import { findLegacyWafType } from '../../src/tfstate/legacy-waf-types';
import { pickLegacyResources, parseState } from '../../src/tfstate/parse-state';
import {
  arbitraryResources,
  type RawResource,
  rawResource,
  rawState,
} from '../support/arbitrary-state';
import { temporaryFolder } from '../support/temporary-folder';
import { terraform } from '../support/terraform';

// test/e2e/plan-sh.test.ts compares the states of real providers

/** The lines that the real binary prints for a state file. */
async function stateList(bytes: string): Promise<string[]> {
  const dir = temporaryFolder();
  writeFileSync(join(dir, 'x.tfstate'), bytes);
  const run = await terraform(dir, ['state', 'list', '-state=x.tfstate']);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  return run.stdout.split('\n').slice(0, -1);
}

/** The lines of legacy types, recognised without the code under test, if no key can look like one. */
function oldLines(lines: string[]): string[] {
  return lines.filter((line) => {
    const { mode, type } = parseAddress(line);
    return findLegacyWafType(mode, type) !== undefined;
  });
}

const picked = (bytes: string) =>
  pickLegacyResources(parseState(Buffer.from(bytes))).map(({ address }) => address);
const json = (resources: readonly unknown[]) => JSON.stringify(rawState(resources), null, 2);

/** The characters of a printed address, escaped or not. */
const CHARACTERS = /\\U[\da-f]{8}|\\u[\da-f]{4}|\\.|./gsu;
const escaped = (character: string): string => {
  const digits = (character.codePointAt(0) ?? 0).toString(16);
  return digits.length <= 4 ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`;
};

describe('terraform state list agrees with what is picked from', () => {
  it('120 random states with hostile keys, 30 to a run', async () => {
    const samples = fc.sample(arbitraryResources, { numRuns: 120, seed: jest.getSeed() });
    const addressed = samples.map((resources) =>
      resources.filter((one) => one.instances.length > 0),
    );
    let old = 0;
    for (let from = 0; from < samples.length; from += 30) {
      const part = addressed.slice(from, from + 30);
      // Each state except the first in a separate module, so that one run lists all of them.
      const moved = part.map((resources, index) =>
        index === 0
          ? resources
          : resources.map((one): RawResource => {
              const module = one.module === undefined ? '' : `.${one.module}`;
              return { ...one, module: `module.state${index}${module}` };
            }),
      );
      const lines = await stateList(json(moved.flat()));
      const instances = moved.flat().reduce((sum, one) => sum + one.instances.length, 0);
      expect(lines).toHaveLength(instances);
      expect(picked(json(moved.flat())).sort()).toEqual(oldLines(lines).sort());
      for (const [index, resources] of part.entries()) {
        const prefix = index === 0 ? '' : `module.state${index}.`;
        const own = lines.filter((line) =>
          index === 0 ? !/^module\.state\d+\./.test(line) : line.startsWith(prefix),
        );
        const expected = oldLines(own).map((line) => line.slice(prefix.length));
        expect(picked(json(resources)).sort()).toEqual(expected.sort());
        old += expected.length;
      }
      for (const line of lines) {
        const { module, mode, type, name, key } = parseAddress(line);
        expect(printAddress(module, mode, type, name, key)).toBe(line);
      }
    }
    expect(old).toBeGreaterThan(120);
  });

  it('every code point as a key, but for those that are newer than its Unicode', async () => {
    const instances: { index_key: string; attributes: object }[] = [];
    for (let from = 0; from < 0x110000; from += 256) {
      if (from >= 0xd800 && from < 0xe000) continue;
      const codePoints = Array.from({ length: 256 }, (_, index) => from + index);
      instances.push({ index_key: String.fromCodePoint(...codePoints), attributes: {} });
    }
    const state = json([rawResource({ instances })]);
    const byKey = (lines: string[]) =>
      new Map(lines.map((line) => [parseAddress(line).key, line.match(CHARACTERS) ?? []]));
    const listed = byKey(await stateList(state));
    const ours = byKey(picked(state));
    expect([...ours.keys()].sort()).toEqual([...listed.keys()].sort());
    const newer = [...listed].flatMap(([key, characters]) =>
      characters.flatMap((character, at) => {
        const own = ours.get(key)?.[at] ?? '';
        if (own === character) return [];
        // Unicode got 10,615 characters in its versions 15.1, 16 and 17
        expect(character).toBe(escaped(own));
        return [own];
      }),
    );
    expect(newer.filter((character) => character < '\u0860')).toEqual([]);
    expect(newer.length).toBeLessThanOrEqual(10_615);
  });

  it('what Terraform reads in a way of its own', async () => {
    const deposed = (key: string) => ({ deposed: key, attributes: {} });
    const state = json([
      rawResource({ name: 'deposed', instances: [deposed('00000001'), deposed('00000002')] }),
      rawResource({ name: 'both', instances: [{ attributes: {} }, deposed('00000001')] }),
      rawResource({ name: 'none', instances: [] }),
      rawResource({ name: 'parts', instances: [{ index_key: 0 }] }),
      rawResource({ name: 'parts', instances: [{ index_key: 1 }] }),
      rawResource({ name: 'legacy', provider: 'module.a.provider.cloudflare.eu' }),
      rawResource({ name: 'each', each: 'map', instances: [{ index_key: 'a' }] }),
      rawResource({ name: 'surrogate', instances: [{ index_key: 'a\ud800b' }] }),
      ...['["$$$${x}"]', '["é"]', '["\\u200b"]', ''].map((key) =>
        rawResource({ module: `module.m${key}` }),
      ),
      ...['É', '日本', '_', 'a-', 'a·', '℘', 'ª', '𝒳'].map((name) => rawResource({ name })),
    ]);
    expect(picked(state).sort()).toEqual((await stateList(state)).sort());
  });
});

describe('a state of an older format version', () => {
  it('is refused after `terraform state pull` while its attributes are flat', async () => {
    const dir = temporaryFolder();
    const primary = {
      id: '1',
      attributes: { id: '1', zone_id: 'z', 'urls.#': '1', 'urls.0': 'a' },
    };
    const resource = { type: 'cloudflare_waf_override', primary, provider: 'provider.cloudflare' };
    const old = {
      version: 3,
      terraform_version: '0.11.14',
      serial: 3,
      lineage: 'x',
      modules: [
        { path: ['root'], outputs: {}, resources: { 'cloudflare_waf_override.o.0': resource } },
      ],
    };
    writeFileSync(join(dir, 'terraform.tfstate'), JSON.stringify(old));
    const { stdout } = await terraform(dir, ['state', 'pull']);
    expect(() => pickLegacyResources(parseState(Buffer.from(stdout)))).toThrow(
      expect.objectContaining({
        code: 'STATE_INVALID',
        hint: 'run `terraform refresh` with provider 3, which rewrites it',
      }),
    );
  });
});
