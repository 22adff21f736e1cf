import { stackOf, textOf } from './support/generate-files';
import { hazards } from './support/arbitrary-text';
import { resourceOf, live } from './support/live-answer';
import { readHcl, readStack, readTerraformJson } from './support/read-back';

// test/generate/round-trip.test.ts has every hazard in every text of the API

const readers = { cdktf: readStack, hcl: readHcl, tfjson: readTerraformJson };

describe.each(['cdktf', 'hcl', 'tfjson'] as const)('in %s, no name of a zone', (format) => {
  it('changes what a stack declares, or ends a file name', async () => {
    const declared = resourceOf(live({}), 5);
    for (const zone of hazards) {
      const { path, text } = stackOf(live({}), { format, zone }).resourceFile;
      expect([zone, await readers[format](text)]).toEqual([zone, declared]);
      expect(path).toMatch(/^[a-z0-9][a-z0-9_-]*\.(?:ts|tf|tf\.json)$/);
    }
  });
});

it('no name of a zone ends the name of a class, or is a directive of a comment', () => {
  for (const zone of hazards) {
    const text = textOf(live({}), { format: 'cdktf', zone });
    expect(text).toMatch(/^export class [A-Z_][A-Za-z0-9_$]*WafStack extends TerraformStack \{$/m);
    expect(text.match(/^\/\/.*$/gm)?.slice(0, 3)).toEqual([
      expect.stringMatching(/^\/\/ WAF managed rules of zone /),
      expect.stringMatching(/^\/\/ Origin: the live entry point /),
      expect.stringMatching(/^\/\/ terraform import cloudflare_ruleset\.managed_rules zones\//),
    ]);
  }
});
