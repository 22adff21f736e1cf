import { type ConfigSource } from '../../src/blocks/config-source';
import { constructPaths } from '../../src/blocks/construct-paths';

const stack = { metadata: { stackName: 'edge', version: '0.21.0', backend: 'local' } };
const made = (path: string) => ({ '//': { metadata: { path, uniqueId: 'x' } } });
/** What is known of a folder with these files; a text is JSON. */
const known = (files: Record<string, unknown>) => {
  const sources = Object.entries(files).map(([path, content]): ConfigSource => ({
    path,
    bytes: Buffer.from(JSON.stringify(content)),
  }));
  const paths = constructPaths(sources);
  return paths && [...paths];
};

describe('the constructs of a stack that is synthesised as HCL', () => {
  it('are told by the addresses of their blocks; what no construct made has none', () => {
    const metadata = {
      '//': stack,
      resource: { x: { a: made('edge/a'), raw: {} }, y: { b: made('edge/b') } },
      data: { x: { a: made('edge/all') } },
    };
    expect(known({ 'edge/metadata.json': metadata, 'edge/cdk.tf': '' })).toEqual([
      ['x.a', 'edge/a'],
      ['y.b', 'edge/b'],
      ['data.x.a', 'edge/all'],
    ]);
  });

  it('are none, where the stack has none, or they are written in no known way', () => {
    expect(known({ 'metadata.json': { '//': stack }, 'cdk.tf': '' })).toEqual([]);
    const odd = {
      '//': stack,
      resource: { x: { a: { '//': { metadata: { path: 7 } } } } },
      data: 7,
    };
    expect(known({ 'metadata.json': odd, 'cdk.tf': '' })).toEqual([]);
  });

  it.each<[string, Record<string, unknown>]>([
    ['without cdk.tf', { 'metadata.json': { '//': stack } }],
    ['without metadata', { 'cdk.tf': '' }],
    ['whose metadata are somebody else’s', { 'metadata.json': { '//': {} }, 'cdk.tf': '' }],
    [
      'whose metadata name no stack',
      { 'metadata.json': { '//': { metadata: { version: '1' } } }, 'cdk.tf': '' },
    ],
    [
      'whose metadata name no version',
      { 'metadata.json': { '//': { metadata: { stackName: 'x' } } }, 'cdk.tf': '' },
    ],
    ['whose metadata are no object', { 'metadata.json': 7, 'cdk.tf': '' }],
  ])('is not what a folder is %s', (_, files) => {
    expect(known(files)).toBeUndefined();
  });
});
