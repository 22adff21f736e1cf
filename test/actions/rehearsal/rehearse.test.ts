import { rehearse } from '../../../src/actions/rehearsal/rehearse';
import { fakeTerraform } from '../../support/fake-terraform';
import { removalPlan } from '../../support/removal-plan';
import { temporaryFolder } from '../../support/temporary-folder';

it('a rehearsal that the user stops says that it was interrupted, and blames no file', async () => {
  const stop = new AbortController();
  const terraform = {
    binary: fakeTerraform(temporaryFolder(), 'exec sleep 60').path,
    environment: { PATH: process.env['PATH'] },
    signal: stop.signal,
    hold: () => {
      setTimeout(() => {
        stop.abort();
      }, 100);
    },
  };
  const [plan, folder] = [removalPlan('c'.repeat(64)), temporaryFolder()];
  const rehearsal = rehearse({ plan, folder, terraform, report: () => undefined });
  await expect(rehearsal).rejects.toMatchObject({
    message: 'the rehearsal was interrupted',
    hint: expect.stringContaining('run the same command again'),
  });
});
