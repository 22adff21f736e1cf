import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfiguration } from '../../src/project/read-configuration';
import { temporaryFolder } from '../support/temporary-folder';

it('names the places of links to files and folders, and nothing else', async () => {
  const folder = temporaryFolder();
  for (const name of ['own', 'shared']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'shared/waf.tf'), '');
  writeFileSync(join(folder, 'own/main.tf'), '');
  symlinkSync('../shared/waf.tf', join(folder, 'own/waf.tf'));
  symlinkSync('own', join(folder, 'link'));
  const placesOf = async (dir: string): Promise<ReadonlyMap<string, string>> =>
    (await readConfiguration(dir, folder))!.linkedFiles!;
  expect([...(await placesOf('own'))]).toEqual([['own/waf.tf', 'shared/waf.tf']]);
  expect(Object.fromEntries(await placesOf('link'))).toEqual({
    link: 'own',
    'link/main.tf': 'own/main.tf',
    'link/waf.tf': 'shared/waf.tf',
  });
});

it('names them also for a folder of plans that is not there yet', async () => {
  const folder = temporaryFolder();
  for (const name of ['own', 'shared']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'shared/waf.tf'), '');
  symlinkSync('../shared/waf.tf', join(folder, 'own/waf.tf'));
  const plans = join(folder, 'all/plans');
  const own = (await readConfiguration('../../own', plans))!;
  expect([...own.linkedFiles!]).toEqual([['../../own/waf.tf', '../../shared/waf.tf']]);
});
