import { managed, skip, to } from './support/compared-rulesets';
import { bypass, pageRule, rule } from './support/old-zone';
import { blocking, HOST, IP, rowsOf } from './support/weighed-rulesets';

const current = { ruleset: 'current' };
const blocks = { rules: [rule('R1', 'block')] };
const OTHER = 'http.host eq "b.com"';
/** The WAF is off, but for one host, less what the service takes out of it. */
const switchedOn = {
  ...blocks,
  wafSwitch: { from: 'settings', value: 'off' },
  pageRules: [
    pageRule({ from: 'on', target: 'a.com/*', waf: 'on' }),
    pageRule({ from: 'off', target: 'b.com/*', waf: 'off', priority: 2 }),
  ],
};
const ruleOf = (...parameters: Parameters<typeof rowsOf>) =>
  rowsOf(...parameters).find(({ kind }) => kind === 'rule')!;
const does = `rule ${to(1).id}: block`;

describe('a rule that holds for some requests', () => {
  it('says for which, without the exceptions that old settings ask for', () => {
    const settings = { ...blocks, firewallRules: [bypass({ expression: `${IP} and ssl` })] };
    const exception = skip(current, `ssl and ${IP}`);
    expect(ruleOf(settings, exception, blocking({ expression: HOST }))).toMatchObject({
      to: `${does} (applies only where ${HOST})`,
      why: 'nothing says that these are all of the requests that it is asked for',
    });
  });

  it('names each exception that takes requests out', () => {
    const rules = [skip(current, IP), skip(current, 'ssl'), blocking({ expression: HOST })];
    expect(ruleOf(blocks, ...rules)).toMatchObject({
      to: `${does} (applies only where ${HOST} and not (${IP}) and not (ssl))`,
      why: expect.stringMatching(`before it: ${IP}, ssl$`) as string,
      remedy: expect.stringMatching(/^look for the page rule or firewall rule/) as string,
    });
  });

  it('is changed, where others of its requests have no rule', () => {
    const parts = [`${HOST} and ssl`, OTHER].map((expression) => blocking({ expression }));
    expect(ruleOf(switchedOn, ...parts).status).toBe('changed');
  });
});

describe('what runs for a page rule, less those that win over it and never match', () => {
  it('holds for all of its requests', () => {
    const rows = rowsOf(switchedOn, blocking({ expression: `${HOST} and not (${OTHER})` }));
    expect(rows.map(({ kind, status }) => [kind, status])).toEqual([
      ['page-rule', 'without-effect'],
      ['page-rule', 'kept'],
      ['zone', 'kept'],
      ['rule', 'kept'],
    ]);
  });

  it('holds for none of them where it runs for the others alone', () => {
    expect(ruleOf(switchedOn, blocking({ expression: OTHER }))).toMatchObject({
      status: 'lost',
      to: `${does} (for none of its requests)`,
      why: `it runs for other requests: ${OTHER}`,
      remedy: 'correct the expression of the rule',
    });
  });

  it('leaves a rule off where another one runs for the others alone', () => {
    const settings = { ...switchedOn, rules: [rule('R1', 'disable')] };
    const off = managed({ rules: [to(1, { enabled: false })] }, { expression: HOST });
    expect(ruleOf(settings, managed({}, { expression: OTHER }), off).status).toBe('kept');
  });

  it('is no exception, where others cover all of its requests', () => {
    const [on] = switchedOn.pageRules;
    const covered = { ...on!, from: 'covered', target: 'b.com/*' };
    const settings = { ...switchedOn, pageRules: [...switchedOn.pageRules, covered] };
    const never = skip(current, `(${OTHER} and not ${OTHER})`);
    const row = rowsOf(settings, never, blocking()).find(({ from }) => from === 'covered');
    expect(row).toMatchObject({ status: 'without-effect', rules: [] });
  });
});
