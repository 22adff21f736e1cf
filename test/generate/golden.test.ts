import { type GeneratedStack } from '../../src/generate/generate-stack';
import { expectGolden, goldenCases, goldenFiles } from './support/golden';
import { stackOf } from './support/generate-files';

const formats = ['cdktf', 'hcl', 'tfjson'] as const;

describe.each(goldenCases())('the golden case $name', ({ name, zone, input }) => {
  const stacks = formats.map((format) => stackOf(input, { format, zone, preventDestroy: true }));
  const files = stacks.flatMap(({ resourceFile, providersFile }) => [
    resourceFile,
    ...(providersFile ? [providersFile] : []),
  ]);
  const summary = ({ address, importId, findings }: GeneratedStack): string =>
    `${JSON.stringify({ address, importId, findings }, null, 2)}\n`;

  it.each(files)('has its $path', ({ path, text }) => {
    expectGolden(name, path, text);
  });

  it('has its address, import id and findings, the same in every format', () => {
    for (const stack of stacks) expectGolden(name, 'summary.json', summary(stack));
  });

  it('has no other file', () => {
    const paths = [...files.map(({ path }) => path), 'summary.json'].sort();
    expect(goldenFiles(name)).toEqual(paths);
  });
});
