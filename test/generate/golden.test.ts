import { expectGolden, type GoldenCase, goldenCases, goldenFiles } from './support/golden';
import { stackOf } from './support/generate-files';

const formats = ['cdktf', 'hcl', 'tfjson'] as const;
type Format = (typeof formats)[number];
const stack = ({ zone, input }: GoldenCase, format: Format) =>
  stackOf(input, { format, zone, preventDestroy: true });
const files = (golden: GoldenCase, format: Format) => {
  const { resourceFile, providersFile } = stack(golden, format);
  return [resourceFile, ...(providersFile ? [providersFile] : [])];
};

describe.each(goldenCases())('the golden case $name', (golden) => {
  const { name } = golden;

  it.each(formats)('has its files of %s', (format) => {
    for (const { path, text } of files(golden, format)) expectGolden(name, path, text);
  });

  it.each(formats)('has its address, import id and findings, the same in %s', (format) => {
    const { address, importId, findings } = stack(golden, format);
    const summary = JSON.stringify({ address, importId, findings }, null, 2);
    expectGolden(name, 'summary.json', `${summary}\n`);
  });

  it('has no other file', () => {
    const paths = formats.flatMap((format) => files(golden, format).map(({ path }) => path));
    expect(goldenFiles(name)).toEqual([...paths, 'summary.json'].sort());
  });
});
