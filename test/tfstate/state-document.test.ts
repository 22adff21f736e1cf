import fc from 'fast-check';
import { readInBatches, resourcesOf } from '../../src/tfstate/state-document';
import { damaged, parsed } from '../support/arbitrary-json';
import { arbitraryResources, rawResource, rawState } from '../support/arbitrary-state';

const split = (text: string, batchSize: number) =>
  readInBatches(Buffer.from(text), ({ top, batches }) => ({ top, batches: [...batches] }), {
    whole: 0,
    batch: batchSize,
  });
const all = (text: string, batchSize: number) => split(text, batchSize).batches.flat();

/** As Python's json.dumps writes it. */
function spaced(value: unknown): string {
  return JSON.stringify(value, null, 1).replace(/\n */g, (gap, at: number, text: string) =>
    text[at - 1] === ',' ? ' ' : '',
  );
}
const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([one], [other]) => (one < other ? -1 : 1))
            .map(([key, one]) => [key, sorted(one)]),
        )
      : value;

const layouts: Record<string, (state: object) => string> = {
  'as Terraform indents': (state) => `${JSON.stringify(state, null, 2)}\n`,
  'with tabs': (state) => JSON.stringify(state, null, '\t'),
  'with CRLF': (state) => JSON.stringify(state, null, 2).replaceAll('\n', '\r\n'),
  'on one line': (state) => JSON.stringify(state),
  'on one line with spaces': spaced,
  'with spaces around colons': (state) => spaced(state).replaceAll('":', '" :'),
  'with sorted keys': (state) => JSON.stringify(sorted(state), null, 2),
  'with sorted keys on one line': (state) => JSON.stringify(sorted(state)),
};
const arbitraryState = fc
  .tuple(arbitraryResources, arbitraryResources, fc.constantFrom(...Object.keys(layouts)))
  .map(([resources, other, layout]) => {
    const outputs = { x: { value: { resources: other }, type: 'dynamic' } };
    return layouts[layout]!(rawState([...resources, ...other, ...resources], { outputs }));
  });

describe('a state in batches', () => {
  it('holds what the whole holds, in every layout and size', () => {
    fc.assert(
      fc.property(arbitraryState, fc.integer({ min: 1, max: 4000 }), (text, batchSize) => {
        expect(all(text, batchSize)).toEqual(resourcesOf(JSON.parse(text)));
      }),
      { numRuns: 300 },
    );
  });

  it('is refused exactly when the whole is no JSON', () => {
    fc.assert(
      fc.property(damaged(arbitraryState), fc.integer({ min: 1, max: 1000 }), (text, batchSize) => {
        const whole = parsed(text);
        if (whole === undefined) {
          expect(() => split(text, batchSize)).toThrow(
            expect.objectContaining({ code: 'STATE_INVALID' }),
          );
        } else expect(all(text, batchSize)).toEqual(resourcesOf(whole) ?? []);
      }),
      { numRuns: 700, endOnFailure: true },
    );
  });

  const three = rawState(['a', 'b', 'c'].map((name) => rawResource({ name })));
  const inModules = rawState(
    ['a', 'b', 'c'].map((name) => ({ module: `module.${name}`, ...rawResource() })),
  );
  it.each(Object.entries(layouts))('is really cut when it is laid out %s', (_, layout) => {
    for (const state of [three, inModules]) {
      const { top, batches } = split(layout(state), 1);
      expect(batches.map((batch) => batch.length)).toEqual([1, 1, 1]);
      expect(resourcesOf(top)).toHaveLength(1);
    }
  });

  it.each([{ mode: 'on' }, { mo: 1, mode: 'managed' }])(
    'is not cut in a list of what is no resource: %j',
    (item) => {
      // the batch would grow from 256 bytes to 512, which is in the next resource
      const attributes = { note: 'x'.repeat(90), list: [item, item] };
      const names = ['a', 'b', 'c', 'd'];
      const resources = names.map((name) => rawResource({ name, instances: [{ attributes }] }));
      const { batches } = split(JSON.stringify(rawState(resources)), 1);
      expect(batches.map((batch) => batch.length)).toEqual([1, 1, 1, 1]);
    },
  );

  it('is not taken in by lists in outputs and attributes that look like resources', () => {
    const list = { mode: 'managed', type: 'cloudflare_waf_rule' };
    const attributes = { resources: [list, list, list], note: '},{"mode":"managed"' };
    const instances = [{ attributes }, { attributes }];
    const state = rawState([rawResource({ instances }), rawResource({ instances })], {
      outputs: { resources: { value: { resources: [list, list] } } },
    });
    for (const layout of Object.values(layouts)) {
      expect(all(layout(state), 1)).toEqual(resourcesOf(JSON.parse(layout(state))));
    }
  });

  it('is cut all the same where a list in an attribute looks like resources', () => {
    const list = [1, 2].map((index) => ({ mode: 'managed', type: 'x', index }));
    const instances = [{ attributes: { list } }];
    const before = ['a', 'b', 'c'].map((name) => rawResource({ name, instances }));
    const state = rawState([...before, rawResource()]);
    // A cut within a value fails, and the batch grows: the whole would be one batch.
    const { batches } = split(JSON.stringify(state), 1);
    expect(batches.length).toBeGreaterThan(1);
    expect(batches.flat()).toEqual(resourcesOf(state));
  });

  it('has the last of two lists of resources, as JSON.parse has it', () => {
    const text = JSON.stringify(three).replace(
      '"resources"',
      '"resources":[{"mode":"x"},{"mode":"managed"}],"resources"',
    );
    expect(all(text, 1)).toEqual(resourcesOf(JSON.parse(text)));
    const swapped = `${JSON.stringify(three).slice(0, -1)},"resources":[]}`;
    expect(all(swapped, 1)).toEqual([]);
  });

  it.each(['{"version":4}', '{"resources":"none"}'])('is empty without a list: %s', (text) => {
    expect(all(text, 1)).toEqual([]);
  });

  it('keeps characters of several bytes whole', () => {
    const state = rawState(['é', '日本', '👩‍🚀', '\u2028'].map((name) => rawResource({ name })));
    expect(all(JSON.stringify(state), 1)).toEqual(resourcesOf(state));
    // Escapes and raw characters side by side.
    const mixed = JSON.stringify(state).replace('日', '\\u65e5').replace('é', '\\u00e9é');
    expect(all(mixed, 1)).toEqual(resourcesOf(JSON.parse(mixed)));
  });
});
