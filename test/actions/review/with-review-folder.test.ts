import os from 'node:os';
import { withReviewFolder } from '../../../src/actions/review/with-review-folder';

it('a temporary folder that is not there is told, and what to do', async () => {
  const place = jest.spyOn(os, 'tmpdir').mockReturnValue('/nonexistent');
  try {
    await expect(withReviewFolder(() => Promise.resolve())).rejects.toMatchObject({
      code: 'FILE_UNWRITABLE',
      hint: expect.stringContaining('TMPDIR'),
    });
  } finally {
    place.mockRestore();
  }
});
