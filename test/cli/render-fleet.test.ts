import { renderFleet } from '../../src/cli/many-zones';
import { type ZoneOutcome } from '../../src/fleet/run-fleet';

it('shows the whole hint of a zone that failed: the way back stands last in it', () => {
  const hint = `${'first do this; '.repeat(30)}or go back: cf-waf-migrate rollback x`;
  const error = { code: 'TERRAFORM_FAILED', message: 'was killed', hint, causes: [] };
  const failed = { zone: 'a'.repeat(32), name: 'a.example', outcome: 'failed', line: '', error };
  const { text } = renderFleet([failed as unknown as ZoneOutcome], [], [], {
    ledger: 'ledger.jsonl',
    next: '',
  });
  expect(text).toContain(`  hint: ${hint}\n`);
});
