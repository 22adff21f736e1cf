import { type Finding } from '../../src/model/finding';
import { withoutForgotten } from '../../src/plan/without-forgotten';
import { configuration } from './support/planned-states';

const finding = (code: string, subject: string): Finding => ({
  ...{ code, subject, severity: 'decision', message: 'so', remedy: 'do' },
});

it('a removed block answers that a block is gone, and nothing else that is said of it', async () => {
  const files = await configuration({
    'main.tf': 'removed {\n  from = module.m\n  lifecycle {\n    destroy = false\n  }\n}\n',
  });
  const findings = ['BLOCK_ALREADY_GONE', 'MODULE_NOT_EDITED'].flatMap((code) =>
    ['module.m.cloudflare_waf_rule.r', 'module.more.cloudflare_waf_rule.r'].map((subject) =>
      finding(code, subject),
    ),
  );
  const removal = { edits: [], going: [], manual: ['by.hand'], diff: '', findings };
  expect(withoutForgotten(files, removal)).toEqual({ ...removal, findings: findings.slice(1) });
});
