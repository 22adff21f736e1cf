import fc from 'fast-check';
import { requirePlannedText } from '../../src/apply/steps/refuse-edits';
import { planNewFile } from '../../src/tfconfig/file-edit';
import { liveRuleset, type RulesetAnswer } from '../generate/support/arbitrary-ruleset';
import { corpus } from '../generate/support/corpus';
import { everything } from '../generate/support/everything';
import { textOf } from '../generate/support/generate-files';
import { majors } from '../generate/support/live-answer';
import { runs } from '../generate/support/runs';
import { plannedZone } from '../support/applied-folder';

/** What the grammar cannot read, and a key that is not an id, which the API refuses. */
const UNUSUAL = /%%%\{|\$\$\$\{|^ *"[^"]*[^\w"-].*" += /m;

describe.each(majors)('an edit may insert what is generated for provider %i:', (provider) => {
  const zones = [plannedZone('managed_rules')];
  const accepts = async (answer: RulesetAnswer): Promise<void> => {
    const text = textOf(answer, { format: 'hcl', provider });
    if (UNUSUAL.test(text)) return;
    await requirePlannedText(planNewFile('waf.tf', text), { zones });
  };

  it.each(Object.entries({ ...corpus, everything: everything() }))('%s', (_, answer) =>
    accepts(answer),
  );

  it('any ruleset', () => fc.assert(fc.asyncProperty(liveRuleset, accepts), runs(60)));
});

it.each([
  ['a value', 'description = <<EOT\na\nEOT\u00a0\n'],
  ['the provider', 'provider = <<-EOT\r\ncloudflare\r\nEOT\u00a0\r\n'],
  ['a value after other text', 'name = "<<x" # <<\n description = upper(<<EOT\na\nEOT\n)\n'],
])('an edit inserts no heredoc, whose end parsers see at different places: %s', async (_, line) => {
  const zones = [plannedZone('managed_rules')];
  const hidden =
    'provider "cloudflare" {\n  api_hostname = "example.com"\n}\nlocals {\n  y = <<EOT\nEOT\n}\n';
  const text = `resource "cloudflare_ruleset" "managed_rules" {\n  ${line}}\n${hidden}`;
  const edit = planNewFile('waf.tf', text);
  await expect(requirePlannedText(edit, { zones })).rejects.toThrow('a heredoc to waf.tf');
});
