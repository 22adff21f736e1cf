import { mergedBody } from '../../src/tfconfig/find-blocks';
import { stringOf } from '../../src/tfconfig/config';
import { openProject } from './open-project';

const own = 'resource "x" "a"';

async function rootOf(files: Record<string, string>) {
  const project = await openProject(files);
  return project.modules.get('.')!;
}

test('an override file says the last word, whatever it is called', async () => {
  const root = await rootOf({
    'a_override.tf': `${own} {\n  added = "overridden"\n  name = "overridden"\n}\n`,
    'main.tf': `${own} {\n  name = "own"\n  kept = "own"\n}\n`,
    'z.tf': 'resource "x" "b" {\n  another = "another"\n}\n',
  });
  const [resource] = root.resources.filter(({ file }) => !file.override);
  const body = mergedBody(root, resource!);
  expect([...body].map(([key, value]) => [key, stringOf(value)])).toEqual([
    ['name', 'overridden'],
    ['kept', 'own'],
    ['added', 'overridden'],
  ]);
});
