import { forgottenAddresses } from '../../src/tfconfig/find-blocks';
import { openProject } from './open-project';

const removed = (from: string, destroy: string) =>
  `removed {\n  from = ${from}\n  lifecycle {\n    destroy = ${destroy}\n  }\n}\n`;
const of = async (files: Record<string, string>) => forgottenAddresses(await openProject(files));

describe('what `removed` blocks let go', () => {
  test('are resources and modules, and what would be destroyed is none of it', async () => {
    const text = [
      removed('cloudflare_waf_rule.a', 'false'),
      removed('module.old', 'false'),
      removed('cloudflare_waf_rule.b', 'true'),
      'removed {\n  from = cloudflare_waf_rule.c\n}\n',
      'removed {\n  lifecycle {\n    destroy = false\n  }\n}\n',
      removed('cloudflare_waf_rule.d', 'false').replace('removed', 'moved'),
    ].join('\n');
    expect(await of({ 'main.tf': text })).toEqual(['cloudflare_waf_rule.a', 'module.old']);
  });

  test('have the path of their module before them, once for each call', async () => {
    const call = (name: string) => `module "${name}" {\n  source = "./waf"\n}\n`;
    const files = {
      'main.tf': call('one') + call('two'),
      'waf/main.tf':
        removed('cloudflare_waf_rule.a', 'false') +
        'removed {\n  lifecycle {\n    destroy = false\n  }\n}\n',
    };
    expect(await of(files)).toEqual([
      'module.one.cloudflare_waf_rule.a',
      'module.two.cloudflare_waf_rule.a',
    ]);
  });
});
