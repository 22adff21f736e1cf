import fc from 'fast-check';
import { type TestClient } from './support/client';
import { without } from './support/without';
import { entryPoint, MIGRATED, withEmulator } from './support/with-emulator';

const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee';
const execute = (fields: object = {}) => ({
  action: 'execute',
  expression: 'true',
  action_parameters: { id: MANAGED },
  ...fields,
});
const put = (call: TestClient, rules: unknown) => call('PUT', entryPoint(MIGRATED), { rules });
const live = async (call: TestClient) => (await call('GET', entryPoint(MIGRATED))).body.result;
const ids = (ruleset: any) => ruleset.rules.map((rule: any) => rule.id);

describe('[S114] the identifiers of rules', () => {
  it('are kept by id, are kept by ref, and are new without either', async () => {
    await withEmulator({}, async (call) => {
      const before = await live(call);
      const [byId, byRef, neither] = before.rules;
      const { body } = await put(call, [byId, without(byRef, 'id'), without(neither, 'id', 'ref')]);
      expect(ids(body.result).slice(0, 2)).toEqual([byId.id, byRef.id]);
      expect(ids(before)).not.toContain(body.result.rules[2].id);
      expect(body.result.rules[2].ref).toBe(body.result.rules[2].id);
    });
  });

  it('move with their rules when these change places', async () => {
    await withEmulator({}, async (call) => {
      const before = await live(call);
      const refsOnly = before.rules.map((rule: any) => without(rule, 'id')).reverse();
      const { body } = await put(call, refsOnly);
      expect(ids(body.result)).toEqual(ids(before).reverse());
    });
  });

  it('are new for a blank id, version and ref', async () => {
    await withEmulator({}, async (call) => {
      const { body } = await put(call, [execute({ id: '', version: '', ref: '' })]);
      expect(body.result.rules[0]).toMatchObject({ version: '1', ref: body.result.rules[0].id });
    });
  });

  it('keep a ref that is not sent beside the id', async () => {
    await withEmulator({}, async (call) => {
      const [rule] = (await live(call)).rules;
      const { body } = await put(call, [without(rule, 'ref')]);
      expect(body.result.rules[0]).toEqual(rule);
    });
  });
});

describe('versions', () => {
  it('go up with each write of the ruleset, and of a rule only when that changes', async () => {
    await withEmulator({}, async (call) => {
      const before = await live(call);
      const [first, second, third] = before.rules;
      const { body } = await put(call, [{ ...first, enabled: false }, second, third]);
      expect(body.result.version).toBe(String(Number(before.version) + 1));
      expect(body.result.rules.map((rule: any) => rule.version)).toEqual(['2', '1', '1']);
      expect(body.result.rules[1]).toEqual(second);
    });
  });
});

describe('defaults', () => {
  it('enable a rule, describe it with nothing, and take the latest version', async () => {
    await withEmulator({}, async (call) => {
      const { body } = await put(call, [execute()]);
      expect(body.result.rules[0]).toMatchObject({
        enabled: true,
        description: '',
        action_parameters: { id: MANAGED, version: 'latest' },
      });
      expect(body.result.rules[0]).not.toHaveProperty('logging');
    });
  });

  it('let a skip rule log, unless it is told not to', async () => {
    await withEmulator({}, async (call) => {
      const skip = {
        action: 'skip',
        expression: 'true',
        action_parameters: { ruleset: 'current' },
      };
      const { body } = await put(call, [skip, { ...skip, logging: { enabled: false } }]);
      expect(body.result.rules.map((rule: any) => rule.logging.enabled)).toEqual([true, false]);
    });
  });

  it('keep what a write leaves out of the ruleset, and empty it where rules are null', async () => {
    await withEmulator({}, async (call) => {
      const before = await live(call);
      const path = `/zones/${MIGRATED}/rulesets/${before.id}`;
      const described = await call('PUT', path, { description: 'new' });
      expect(described.body.result).toMatchObject({ name: before.name, rules: before.rules });
      const emptied = await call('PUT', path, { description: '', rules: null });
      expect(emptied.body.result).toMatchObject({ id: before.id, rules: [] });
    });
  });
});

describe('another ruleset', () => {
  const zoneRuleset = (phase: string) => ({ name: 'x', kind: 'zone', phase, rules: [] });

  it('is refused for a phase that has its entry point', async () => {
    await withEmulator({}, async (call) => {
      const answer = await call(
        'POST',
        `/zones/${MIGRATED}/rulesets`,
        zoneRuleset('http_request_firewall_managed'),
      );
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toEqual([
        {
          code: 20217,
          message:
            "'zone' is not a valid value for kind because exceeded maximum number of zone rulesets for phase http_request_firewall_managed",
          source: { pointer: '/kind' },
        },
      ]);
    });
  });

  it('is created for another phase, listed, and deleted with an answer that has no body', async () => {
    await withEmulator({}, async (call) => {
      const path = `/zones/${MIGRATED}/rulesets`;
      const { body } = await call('POST', path, zoneRuleset('http_request_firewall_custom'));
      expect((await call('GET', path)).body.result.map(({ id }: any) => id)).toContain(
        body.result.id,
      );
      const deleted = await call('DELETE', `${path}/${body.result.id}`);
      expect([deleted.status, deleted.text]).toEqual([204, '']);
      expect((await call('GET', `${path}/${body.result.id}`)).status).toBe(404);
    });
  });

  it('is not written where it is a managed one', async () => {
    await withEmulator({}, async (call) => {
      const path = `/zones/${MIGRATED}/rulesets/${MANAGED}`;
      expect((await call('PUT', path, { description: 'mine' })).status).toBe(403);
      expect((await call('DELETE', path)).status).toBe(403);
      expect((await call('GET', path)).body.result.description).not.toBe('mine');
    });
  });
});

describe('single rules', () => {
  it('are added, changed in place, and deleted', async () => {
    await withEmulator({}, async (call) => {
      const before = await live(call);
      const path = `/zones/${MIGRATED}/rulesets/${before.id}/rules`;
      const added = (await call('POST', path, execute({ ref: 'mine' }))).body.result;
      const rule = added.rules.at(-1);
      expect(added.rules.slice(0, -1)).toEqual(before.rules);
      const changed = await call('PATCH', `${path}/${rule.id}`, execute({ enabled: false }));
      expect(changed.body.result.rules.at(-1)).toMatchObject({
        id: rule.id,
        ref: 'mine',
        version: '2',
        enabled: false,
      });
      const removed = (await call('DELETE', `${path}/${rule.id}`)).body.result;
      expect(removed.rules).toEqual(before.rules);
      expect((await call('DELETE', `${path}/${rule.id}`)).status).toBe(404);
    });
  });
});

describe('any sequence of writes', () => {
  it('keeps the identifier of each rule whose ref is sent again', async () => {
    await withEmulator({}, async (call) => {
      const refs = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'));
      await fc.assert(
        fc.asyncProperty(fc.array(refs, { minLength: 2, maxLength: 4 }), async (writes) => {
          let known = new Map<string, string>();
          for (const write of [[], ...writes]) {
            const { body } = await put(
              call,
              write.map((ref) => execute({ ref })),
            );
            const now = new Map<string, string>(
              body.result.rules.map((rule: any) => [rule.ref, rule.id]),
            );
            expect([...now.keys()]).toEqual(write);
            for (const [ref, id] of now) if (known.has(ref)) expect(id).toBe(known.get(ref));
            expect(new Set(now.values()).size).toBe(now.size);
            known = now;
          }
        }),
        { numRuns: 40 },
      );
    });
  });
});
