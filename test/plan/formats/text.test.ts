import fc from 'fast-check';
import { anyCharacter } from '../../support/any-character';
import { readStateBytes } from '../../../src/plan/read/read-facts';
import { isPlanText, planFormats } from '../../../src/plan/formats/plan-formats';
import { renderSteps, renderText } from '../../../src/plan/formats/text';
import { planMigration } from '../../../src/plan/plan-migration';
import { arbitraryResources, rawState } from '../../support/arbitrary-state';
import { planOf, RULESET, withSteps, zone } from '../support/plans';

const big = planOf('old-waf-3.35.tfstate', { from: '3.35.0', to: '5.22.0' });
const small = planOf('tainted-3.35.tfstate', { from: '3.35.0' });
/** What could drive a terminal, but for the ends of lines. */
const HOSTILE = /[^\P{Cc}\n]|[\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;

describe('a plan as text', () => {
  it('names each step, why it is done, and its command', () => {
    const text = renderText(small);
    const flowing = text.replaceAll(/\s+/g, ' ');
    for (const { id, title, why } of small.steps) {
      expect(flowing).toContain(`${id}. ${title} why: ${why}`);
    }
    expect(text).toContain(
      '$ mkdir -p -m 700 cf-waf-migrate-backup && terraform state pull > cf-waf-migrate-backup/',
    );
    expect(text).toContain('$ terraform import -input=false');
  });

  it('counts many addresses and shows some, as many as there are of few', () => {
    const { addresses } = big.steps.find(({ kind }) => kind === 'remove')!;
    const text = renderText(big);
    expect(text).toContain(`$ terraform state rm <${addresses!.length} addresses>`);
    expect(text).toContain(`      ${addresses![7]!}\n`);
    expect(text).not.toContain(`${addresses![8]!}\n`);
    expect(text).toContain(`… and ${addresses!.length - 8} more`);
    for (const address of small.steps.find(({ kind }) => kind === 'remove')!.addresses!) {
      expect(renderText(small)).toContain(address);
    }
  });

  it('holds no control character, whatever the state and the folder hold', () => {
    fc.assert(
      fc.property(arbitraryResources, fc.string({ unit: anyCharacter }), (resources, dir) => {
        const bytes = Buffer.from(JSON.stringify(rawState(resources)));
        const state = { ...readStateBytes(bytes, 'default', {}), dir, workspace: dir };
        const plan = planMigration([{ ...zone, zoneId: '0'.repeat(32) }], [state]);
        expect(renderText(plan)).not.toMatch(HOSTILE);
        expect(renderSteps(plan).join('')).not.toMatch(HOSTILE);
      }),
      { numRuns: 300 },
    );
  });

  it('in short is the command of each step, or what a person does', () => {
    const lines = renderSteps(big);
    expect(lines[0]).toBe(
      ' 1. $ mkdir -p -m 700 cf-waf-migrate-backup && terraform state pull > cf-waf-migrate-backup/main-55.tfstate',
    );
    expect(lines.filter((line) => /^[ \d]\d\. /.test(line))).toHaveLength(big.steps.length);
    expect(lines.find((line) => line.includes('the legacy blocks'))).toMatch(/addresses\)$/);
  });

  it('in short says once what is done for each of many zones', () => {
    const zones = ['1', '2', '3'].map((digit) => ({
      ...zone,
      zoneId: digit.repeat(32),
      address: `cloudflare_ruleset.zone_${digit}`,
    }));
    const lines = renderSteps(planOf('old-waf-3.35.tfstate', { from: '4' }, zones));
    expect(lines.filter((line) => line.includes('terraform import'))).toHaveLength(1);
    expect(lines.filter((line) => /^ {4}\d+ to \d+: likewise$/.test(line))).toHaveLength(2);
  });
});

describe('every format', () => {
  it.each(Object.entries(planFormats))('%s: is the same for the same plan', (_, { render }) => {
    const again = planOf('old-waf-3.35.tfstate', { from: '3.35.0', to: '5.22.0' });
    expect(render(again)).toBe(render(big));
  });

  it.each(Object.entries(planFormats))('%s: is known as a plan again', (_, { render }) => {
    expect(isPlanText(render(big))).toBe(true);
    expect(isPlanText(render(withSteps(small, [])))).toBe(true);
  });

  it.each(['', '{}', '{"version": 4}', '#!/bin/sh\nrm -rf x\n', 'resource "x" "y" {}'])(
    'but not %j',
    (text) => {
      expect(isPlanText(text)).toBe(false);
    },
  );

  it('as JSON is the plan', () => {
    expect(JSON.parse(planFormats.json.render(big))).toEqual(big);
    expect(big.zones[0]!.ruleset.id).toBe(RULESET);
  });
});
