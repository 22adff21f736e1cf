import { canonicalScenario, canonicalRuleset, canonicalZone } from '../../support/canonical';
import { inLab, type Lab } from '../../support/lab';
import { type Major } from '../../support/provider/schema/load-schema';
import { Edit } from './table/edit';
import { importedState } from './table/row';

const path = `/zones/${canonicalZone}/rulesets/${canonicalRuleset}`;
const original = canonicalScenario().zones[0]!.rulesets[0]!.rules;
const ids = original.map(({ id }) => id);
type Sent = Record<string, any>;

/** Imports, changes the configuration, applies: what was sent, and what the service then has. */
async function changed(lab: Lab, major: Major, change: (edit: Edit) => void) {
  lab.write('terraform.tfstate', await importedState({ major }));
  const edit = new Edit(major);
  change(edit);
  lab.write('main.tf.json', edit.file);
  const planned = await lab.plan();
  lab.asked();
  const run = await lab.terraform('apply', '-auto-approve');
  expect(run).toMatchObject({ code: 0, stderr: '' });
  const [put] = lab.sent();
  const asked = lab.asked();
  const answer = await fetch(lab.emulator.baseUrl + path, {
    headers: { authorization: `Bearer ${lab.emulator.credentials.token}` },
  });
  const { result } = (await answer.json()) as { result: { rules: Sent[] } };
  lab.asked();
  return { planned, asked, body: put?.body as Sent & { rules: Sent[] }, after: result.rules };
}

const block = (edit: Edit) => (edit.overrides(3)['rules'][0].action = 'block');
const inMajor = <T>(major: Major, use: (lab: Lab) => Promise<T>): Promise<T> =>
  inLab({ major, scenario: 'canonical' }, use);

/** One override is changed: for each major once. */
const ofOverride = new Map<Major, ReturnType<typeof changeOverride>>();
const changeOverride = (major: Major) =>
  inMajor(major, async (lab) => {
    const change = await changed(lab, major, block);
    return { ...change, next: (await lab.plan()).outcome };
  });
function overrideChanged(major: Major): ReturnType<typeof changeOverride> {
  const known = ofOverride.get(major) ?? changeOverride(major);
  ofOverride.set(major, known);
  return known;
}

describe.each<Major>([3, 4, 5])('provider %s, one override changed', (major) => {
  it('sends the rest as it is: expressions, disabled overrides, scores', async () => {
    const { body, asked, next } = await overrideChanged(major);
    expect(body.rules.map(({ expression }) => expression as string)).toEqual(
      original.map(({ expression }) => expression),
    );
    expect(body.rules.map(({ enabled }) => enabled as boolean)).toEqual(
      original.map(({ enabled }) => enabled),
    );
    expect(body.rules[3]!['action_parameters'].overrides.rules.slice(0, 2)).toEqual([
      { id: '5de7edfa648c4d6891dc3e7f84534ffa', action: 'block', enabled: true },
      { id: 'e3a567afc347477d9702d9047e97d760', enabled: false },
    ]);
    expect(body.rules[4]!['action_parameters'].overrides.rules).toEqual([
      {
        id: '6179ae15870a4bb7b2d480d4843b323c',
        action: 'log',
        enabled: true,
        score_threshold: 25,
      },
    ]);
    expect(asked.filter((line) => line.startsWith('PUT'))).toEqual([`PUT ${path}`]);
    expect(next).toBe('empty');
  });
});

describe('what identifies a rule in an update', () => {
  it('provider 3: the id of each unchanged rule, never a ref; then it reads again', async () => {
    const { body, asked, after } = await overrideChanged(3);
    expect(Object.keys(body).sort()).toEqual(['description', 'rules']);
    expect(body.rules.map(({ id }) => id as unknown)).toEqual(ids.with(3, undefined!));
    expect(body.rules.every((rule) => !('ref' in rule) && 'description' in rule)).toBe(true);
    expect(asked.at(-1)).toBe(`GET ${path}`);
    expect(ids).not.toContain(after[3]!['id']);
    expect(after[3]!['ref']).not.toBe('waf_cf_managed');
  });

  it('provider 4: id and ref of each; it does not read again', async () => {
    const { body, asked, after } = await overrideChanged(4);
    expect(Object.keys(body).sort()).toEqual(['description', 'rules']);
    expect(body.rules.map(({ id }) => id as string)).toEqual(ids);
    expect(body.rules.map(({ ref }) => ref as string)).toEqual(original.map(({ ref }) => ref));
    expect(asked.at(-1)).toBe(`PUT ${path}`);
    expect(after.map(({ id }) => id as string)).toEqual(ids);
  });

  it('provider 5: the ref of each, no id; the whole ruleset', async () => {
    const { body, planned, after } = await overrideChanged(5);
    expect(Object.keys(body).sort()).toEqual(['description', 'kind', 'name', 'phase', 'rules']);
    expect(body.rules.some((rule) => 'id' in rule)).toBe(false);
    expect(body.rules.map(({ ref }) => ref as string)).toEqual(original.map(({ ref }) => ref));
    expect(planned.text).toMatch(/last_updated += .*-> \(known after apply\)/);
    expect(planned.text).toMatch(/version +=.*-> \(known after apply\)/);
    expect(after.map(({ id }) => id as string)).toEqual(ids);
  });
});

const moves: [string, (rules: Sent[], fresh: Sent) => unknown][] = [
  ['inserted', (rules, fresh) => rules.unshift(fresh)],
  ['removed', (rules) => rules.splice(1, 1)],
  ['swapped', (rules) => rules.splice(3, 2, rules[4]!, rules[3]!)],
];
const fresh = (major: Major): Sent => ({
  action: 'log',
  expression: 'true',
  description: 'new',
  enabled: true,
  ...(major !== 3 && { ref: 'new_rule' }),
});

describe.each(moves)('a rule is %s', (_name, move) => {
  it.each<Major>([4, 5])('under provider %s every other one keeps its id', (major) =>
    inMajor(major, async (lab) => {
      const { after } = await changed(lab, major, ({ resource }) =>
        move(resource.rules, fresh(major)),
      );
      for (const rule of original) {
        const kept = after.find(({ ref }) => ref === rule.ref);
        if (kept !== undefined) expect(kept['id']).toBe(rule.id);
      }
      expect(after.filter(({ ref }) => ref !== 'new_rule').length).toBeGreaterThanOrEqual(6);
    }),
  );

  it('under provider 3 neighbours with overrides get new ones', () =>
    inMajor(3, async (lab) => {
      const { after } = await changed(lab, 3, ({ resource }) => move(resource.rules, fresh(3)));
      const owasp = after.find(({ action_parameters }) =>
        JSON.stringify(action_parameters ?? null).includes('paranoia-level-2'),
      );
      expect(ids).not.toContain(owasp?.['id']);
    }));
});

describe.each<Major>([4, 5])('provider %s without refs', (major) => {
  it('plans nothing after the import, and re-mints every id with the first change', () =>
    inMajor(major, async (lab) => {
      const { body, after } = await changed(lab, major, (edit) => {
        for (const rule of edit.resource.rules) delete rule['ref'];
        block(edit);
      });
      expect(body.rules.some((rule) => 'id' in rule || 'ref' in rule)).toBe(false);
      expect(ids.filter((id) => after.some((rule) => rule['id'] === id))).toEqual([]);
    }));
});

describe('enabled left out', () => {
  it('provider 3 sends false: the whole WAF is off', () =>
    inMajor(3, async (lab) => {
      const { body } = await changed(lab, 3, ({ resource }) => {
        for (const rule of resource.rules) delete rule['enabled'];
      });
      expect(body.rules.map(({ enabled }) => enabled as boolean)).toEqual(ids.map(() => false));
    }));

  it('provider 4 turns a disabled rule on with the next unrelated change', () =>
    inMajor(4, async (lab) => {
      const { body, planned } = await changed(lab, 4, (edit) => {
        delete edit.rule(5)['enabled'];
        block(edit);
      });
      expect(planned.text).toMatch(/enabled +=.*false -> true/);
      expect(body.rules[5]!['enabled']).toBe(true);
    }));

  it('provider 4 keeps a description that is left out, whatever else changes', () =>
    inMajor(4, async (lab) => {
      const { body } = await changed(lab, 4, (edit) => {
        delete edit.rule(0)['description'];
        block(edit);
      });
      expect(body.rules[0]!['description']).toBe(original[0]!.description);
    }));
});

it('provider 3 changes the kind in place, and never gets there', () =>
  inMajor(3, async (lab) => {
    const { body } = await changed(lab, 3, ({ resource }) => (resource['kind'] = 'custom'));
    expect(body).not.toHaveProperty('kind');
    expect((await lab.plan()).outcome).toBe('diff');
  }));

it('provider 3 drops "enabled" of overrides and logging from what it sends, for ever', () => {
  const scenario = { ...canonicalScenario(), settings: { overridesNeedProperty: false } };
  return inLab({ major: 3, scenario }, async (lab) => {
    const { body } = await changed(lab, 3, ({ resource }) => {
      const swap = (_key: string, part: any): any => {
        if (typeof part?.status !== 'string') return part;
        const { status, ...rest } = part;
        return { ...rest, enabled: status === 'enabled' };
      };
      resource.rules = JSON.parse(JSON.stringify(resource.rules), swap);
    });
    expect(body.rules[3]!['action_parameters'].overrides.rules[1]).toEqual({
      id: 'e3a567afc347477d9702d9047e97d760',
    });
    expect(body.rules[0]!['logging']).toEqual({});
    expect((await lab.plan()).outcome).toBe('diff');
  });
});
