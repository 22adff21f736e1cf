import { declaredOutputs } from '../../src/blocks/declared-outputs';
import { openProject } from './open-project';

test('the outputs of the root are told by name, an override over what it overrides', async () => {
  const project = await openProject({
    'a_override.tf': 'output "over" {\n  value = "b"\n}\noutput "kept" {\n  sensitive = true\n}\n',
    'main.tf': [
      ...['output "over" { value = "a" }', 'output "kept" { value = 1 }', 'output "bare" {}'],
      ...['output { value = 2 }', 'variable "v" {}', 'module "m" { source = "./m" }'],
    ].join('\n'),
    'm/main.tf': 'output "inner" { value = 3 }\n',
  });
  expect([...declaredOutputs(project)]).toEqual([
    ['over', 'b'],
    ['kept', 1],
    ['bare', undefined],
  ]);
});
