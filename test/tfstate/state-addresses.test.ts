import { stateAddresses } from '../../src/tfstate/parse-state';
import { rawResource, rawState } from '../support/arbitrary-state';

const of = (resources: object[]) =>
  stateAddresses(Buffer.from(JSON.stringify(rawState(resources))));

it('every resource of a state has its address, each instance its own, data sources too', () => {
  const resources = [
    rawResource({
      type: 'aws_instance',
      name: 'web',
      instances: [{ index_key: 0 }, { index_key: 1 }],
    }),
    rawResource({ type: 'cloudflare_accounts', mode: 'data', name: 'all' }),
    rawResource({ module: 'module.m["x"]', type: 'a', name: 'b', instances: [{}] }),
  ];
  expect(of(resources)).toEqual([
    'aws_instance.web[0]',
    'aws_instance.web[1]',
    'data.cloudflare_accounts.all',
    'module.m["x"].a.b',
  ]);
});

it('a resource that is none is named by its position', () => {
  const broken = rawResource({ type: 7 });
  expect(() => of([rawResource({ type: 'a', name: 'b' }), broken])).toThrow(
    expect.objectContaining({
      code: 'STATE_INVALID',
      message: expect.stringMatching(/^resource 2 of/),
    }),
  );
});

it('a state without resources has none', () => {
  expect(of([])).toEqual([]);
});
