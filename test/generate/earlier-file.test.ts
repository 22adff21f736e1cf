import { generate } from '../../src/generate/generate';
import { parseRuleset } from '../../src/ruleset/parse-ruleset';
import { temporaryFolder, writeInto } from '../support/temporary-folder';
import { ZONE } from './support/expected-resource';
import { textOf } from './support/generate-files';
import { live } from './support/live-answer';

it('two generated files of a zone are a refusal, which names the other one, also with force', async () => {
  const answer = live({ action: 'log' });
  const text = textOf(answer, { format: 'cdktf' });
  const out = temporaryFolder({ 'cdktf.json': '{"language":"typescript"}' });
  writeInto(out, { [`a/${ZONE}.ts`]: text, [`b/${ZONE}.ts`]: text });
  const source = { ...parseRuleset(answer), findings: [] };
  const zone = { id: ZONE };
  const request = { zone, source, provider: 5, format: 'cdktf', out, force: true } as const;
  await expect(generate(request)).rejects.toMatchObject({
    code: 'ENTRY_POINT_DECLARED',
    message: expect.stringContaining(`/b/${ZONE}.ts declares the entry point`) as string,
    hint: expect.stringContaining('delete it first') as string,
  });
});
