import { managed, skip } from './support/compared-rulesets';
import { MANAGED_RULESET, pageRule } from './support/old-zone';
import { HOST, IP, rowsOf } from './support/weighed-rulesets';

describe('a WAF that a page rule switched on', () => {
  const settings = {
    wafSwitch: { from: 'settings', value: 'off' },
    pageRules: [pageRule({ from: 'on', target: 'a.com/*', waf: 'on' })],
  };
  const run = (expression: string) => managed({}, { expression });

  it('is kept by several rules together', () => {
    const parts = [run(`${HOST} and ssl`), run(`${HOST} and not ssl`)];
    expect(rowsOf(settings, ...parts).map(({ status, to }) => [status, to])).toEqual(
      Array(2).fill(['kept', `it runs for: ${HOST} and ssl, and ${HOST} and not ssl`]),
    );
  });

  it('is changed by an exception from the managed ruleset', () => {
    const exception = skip({ rulesets: [MANAGED_RULESET] }, IP);
    const statuses = rowsOf(settings, exception, run(HOST)).map(({ status }) => status);
    expect(statuses).toEqual(['changed', 'changed']);
  });
});
