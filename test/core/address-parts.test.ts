import { partsBefore, partsBehind } from '../../src/core/resource-address';

test.each([
  ['a', ['a'], ['a']],
  ['module.m.a.b', ['module', 'module.m', 'module.m.a', 'module.m.a.b'], ['m.a.b', 'a.b', 'b']],
])('the parts of %j before and behind its dots', (address, before, behind) => {
  expect(partsBefore(address)).toEqual(before);
  expect(partsBehind(address)).toEqual([...new Set([address, ...behind])]);
});
