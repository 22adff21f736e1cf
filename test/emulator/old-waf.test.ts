import { ENTERPRISE, withEmulator } from './support/with-emulator';

const OWASP = 'c504870194831cd12c3fc0284f294abb';
const CLOUDFLARE = '1e334934fd7ae32ad705667f8c1057aa';
const SPECIALS = 'f90712123fb02287348dd34c0a282bb9';
const waf = (zone: string) => `/zones/${zone}/firewall/waf`;
const packages = `${waf(ENTERPRISE)}/packages`;

describe('old packages', () => {
  it('have settings where they are OWASP, and none where they are traditional', async () => {
    await withEmulator({}, async (call) => {
      const { body } = await call('GET', packages);
      expect(body.result_info).toMatchObject({ per_page: 50, total_count: 3 });
      const [owasp, cloudflare, user] = body.result;
      expect(owasp).toEqual({
        id: OWASP,
        name: 'OWASP ModSecurity Core Rule Set',
        description: 'Covers OWASP Top 10 vulnerabilities, and more.',
        detection_mode: 'anomaly',
        zone_id: ENTERPRISE,
        status: 'active',
        sensitivity: 'medium',
        action_mode: 'simulate',
      });
      expect(cloudflare).not.toHaveProperty('sensitivity');
      expect(user.name).toBe('USER');
      expect((await call('GET', `${packages}/${OWASP}`)).body.result).toEqual(owasp);
    });
  });

  it('are found by name', async () => {
    await withEmulator({}, async (call) => {
      const { body } = await call('GET', `${packages}?name=CloudFlare`);
      expect(body.result.map(({ id }: any) => id)).toEqual([CLOUDFLARE]);
    });
  });

  it('take a new sensitivity and action', async () => {
    await withEmulator({}, async (call) => {
      const settings = { sensitivity: 'off', action_mode: 'block' };
      expect((await call('PATCH', `${packages}/${OWASP}`, settings)).body.result).toMatchObject(
        settings,
      );
      expect((await call('GET', `${packages}/${OWASP}`)).body.result).toMatchObject(settings);
    });
  });

  it('refuse settings of a traditional package with 1027', async () => {
    await withEmulator({}, async (call) => {
      const answer = await call('PATCH', `${packages}/${CLOUDFLARE}`, { sensitivity: 'high' });
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toEqual([
        {
          code: 1027,
          message: 'Only anomaly WAF packages can have their package attributes updated',
        },
      ]);
    });
  });
});

describe('old groups and rules', () => {
  it('count the rules that differ from their default', async () => {
    await withEmulator({}, async (call) => {
      const path = `${packages}/${CLOUDFLARE}/groups/${SPECIALS}`;
      const { result } = (await call('GET', path)).body;
      expect(result).toMatchObject({
        mode: 'on',
        allowed_modes: ['on', 'off'],
        package_id: CLOUDFLARE,
        modified_rules_count: 4,
      });
      const listed = await call('GET', `${packages}/${CLOUDFLARE}/rules?group_id=${SPECIALS}`);
      expect(listed.body.result_info.total_count).toBe(result.rules_count);
    });
  });

  it('turn a group off and on', async () => {
    await withEmulator({}, async (call) => {
      const path = `${packages}/${CLOUDFLARE}/groups/${SPECIALS}`;
      expect((await call('PATCH', path, { mode: 'off' })).body.result.mode).toBe('off');
      const { body } = await call('GET', `${packages}/${CLOUDFLARE}/groups?mode=off`);
      expect(body.result.map(({ id }: any) => id)).toContain(SPECIALS);
    });
  });

  it.each([
    ['a rule that denies', CLOUDFLARE, '100532', 'simulate', 'block', 5],
    ['a rule that allows', CLOUDFLARE, 'WP0003', 'on', undefined, 2],
    ['a rule that scores', OWASP, '990012', 'on', undefined, 2],
  ])('know the modes of %s', async (_what, pack, rule, mode, fallback, modes) => {
    await withEmulator({}, async (call) => {
      const { result } = (await call('GET', `${packages}/${pack}/rules/${rule}`)).body;
      expect(result.mode).toBe(mode);
      expect(result.default_mode).toBe(fallback);
      expect(result.allowed_modes).toHaveLength(modes);
    });
  });

  it('set each allowed mode, and refuse another one without a change', async () => {
    await withEmulator({}, async (call) => {
      const path = `${packages}/${CLOUDFLARE}/rules/100533`;
      const { allowed_modes: modes } = (await call('GET', path)).body.result;
      for (const mode of modes) {
        expect((await call('PATCH', path, { mode })).body.result.mode).toBe(mode);
      }
      const refused = await call('PATCH', path, { mode: 'on' });
      expect(refused.status).toBe(400);
      expect(refused.body.errors[0].source).toEqual({ pointer: '/mode' });
      expect((await call('GET', path)).body.result.mode).toBe(modes.at(-1));
    });
  });

  it('sort by priority as numbers, both ways', async () => {
    await withEmulator({}, async (call) => {
      const path = `${packages}/${CLOUDFLARE}/rules?per_page=100&order=priority&direction=desc`;
      const found = (await call('GET', path)).body.result.map((rule: any) => Number(rule.priority));
      expect(found).toEqual([...found].sort((a, b) => b - a));
    });
  });

  it.each([
    ['rules', 'group_id', (rule: any) => rule.group.id],
    ['rules', 'description', (rule: any) => rule.description],
    ['groups', 'mode', (group: any) => group.mode],
    ['groups', 'rules_count', (group: any) => String(group.rules_count).padStart(3)],
  ])('%s sort by %s, and stay in their order where it is the same', async (what, order, keyOf) => {
    await withEmulator({}, async (call) => {
      const path = `${packages}/${CLOUDFLARE}/${what}?per_page=100`;
      const all = (await call('GET', path)).body.result;
      for (const [direction, sign] of Object.entries({ asc: 1, desc: -1 })) {
        const answer = await call('GET', `${path}&order=${order}&direction=${direction}`);
        const textOrder = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);
        expect(answer.body.result).toEqual(
          [...all].sort((a, b) => sign * textOrder(keyOf(a), keyOf(b))),
        );
      }
    });
  });

  it('come in pages', async () => {
    await withEmulator({}, async (call) => {
      const path = `${packages}/${CLOUDFLARE}/rules?per_page=20`;
      const seen: string[] = [];
      for (let page = 1; ; page += 1) {
        const { result, result_info: info } = (await call('GET', `${path}&page=${page}`)).body;
        seen.push(...result.map(({ id }: any) => id));
        expect(info.count).toBe(result.length);
        if (page === info.total_pages) break;
      }
      expect(seen.length).toBeGreaterThan(40);
      expect(new Set(seen).size).toBe(seen.length);
    });
  });

  it.each([
    ['package', `${packages}/${'f'.repeat(32)}`, 1002],
    ['package of a group', `${packages}/${'f'.repeat(32)}/groups`, 1002],
    ['group', `${packages}/${CLOUDFLARE}/groups/${'f'.repeat(32)}`, 1003],
    ['group of another package', `${packages}/${OWASP}/groups/${SPECIALS}`, 1003],
    ['rule', `${packages}/${CLOUDFLARE}/rules/990012`, 1004],
  ])('say which %s is unknown', async (_what, path, code) => {
    await withEmulator({}, async (call) => {
      const answer = await call('GET', path);
      expect([answer.status, answer.body.errors[0].code]).toEqual([400, code]);
    });
  });
});
