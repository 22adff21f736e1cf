import { clientOf, type TestClient } from './support/client';
import { ENTERPRISE, entryPoint, MIGRATED, withEmulator } from './support/with-emulator';
import { execute, writes, zone } from './support/writes';
import { configOf } from './support/zone';

/** Every place of a body but the root, as JSON pointers. */
function pointers(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => {
    const pointer = `${at}/${key}`;
    return [pointer, ...pointers(one, pointer)];
  });
}

/** A copy of a body with another value in one place; undefined takes it away. */
function withValue(body: unknown, pointer: string, change: (value: unknown) => unknown): unknown {
  const [, key = '', ...rest] = pointer.split('/');
  const copy: any = structuredClone(body);
  copy[key] =
    rest.length > 0 ? withValue(copy[key], `/${rest.join('/')}`, change) : change(copy[key]);
  return copy;
}

const anotherType = (value: unknown): unknown => {
  if (typeof value === 'string') return { not: 'a text' };
  return 'neither a number, a list nor true';
};

/** Whether an error points to a field, or into what was put there. */
const pointsTo = (errors: any[], pointer: string): boolean =>
  errors.some(
    ({ source }) => source?.pointer === pointer || source?.pointer?.startsWith(`${pointer}/`),
  );

/** All that a zone holds, as its interfaces tell it. */
async function holds(call: TestClient): Promise<unknown[]> {
  const paths = [
    ...['filters', 'firewall/rules', 'firewall/waf/overrides', 'pagerules', 'rulesets'].map(
      (path) => `${zone}/${path}`,
    ),
    `${zone}/firewall/waf/packages`,
    `${zone}/waf_migration/status`,
    entryPoint(ENTERPRISE),
    entryPoint(MIGRATED),
  ];
  return [
    await configOf(call, ENTERPRISE),
    ...(await Promise.all(paths.map(async (path) => (await call('GET', path)).body.result))),
  ];
}

describe.each(Object.entries(writes))(
  '%s',
  (_name, { body, required, bounded, open = [], send }) => {
    it('is refused with each field wrong in turn, and changes nothing', async () => {
      const places = pointers(body);
      const wrong: [string, string, unknown][] = [
        ...places.map((pointer): [string, string, unknown] => [
          `another type at ${pointer}`,
          pointer,
          withValue(body, pointer, anotherType),
        ]),
        ...required.map((pointer): [string, string, unknown] => [
          `nothing at ${pointer}`,
          pointer,
          withValue(body, pointer, () => undefined),
        ]),
        ...['', ...places]
          .filter((pointer) => !open.includes(pointer))
          .filter((pointer) => isObject(valueAt(body, pointer)))
          .map((pointer): [string, string, unknown] => [
            `an unknown field in ${pointer}`,
            `${pointer}/foo`,
            pointer === ''
              ? { ...(body as object), foo: 1 }
              : withValue(body, pointer, (one) => ({ ...(one as object), foo: 1 })),
          ]),
        ...bounded.map((pointer): [string, string, unknown] => [
          `an unknown or too long a text at ${pointer}`,
          pointer,
          withValue(body, pointer, () => 'x'.repeat(1e5)),
        ]),
      ];
      await withEmulator({}, async (_, emulator) => {
        const call = clientOf(emulator);
        const before = await holds(call);
        const accepted: string[] = [];
        for (const [what, pointer, changed] of wrong) {
          const { status, body: answer } = await send(call, changed);
          if (status < 400) accepted.push(`${what}: ${status}`);
          else if (status !== 400 || answer.success !== false) accepted.push(`${what}: ${status}`);
          else if (!pointsTo(answer.errors, pointer)) {
            accepted.push(`${what}: ${JSON.stringify(answer.errors)}`);
          }
        }
        expect(accepted).toEqual([]);
        expect(await holds(call)).toEqual(before);
      });
    });

    it('is taken as it is', async () => {
      await withEmulator({}, async (call) => {
        expect((await send(call, body)).body).toMatchObject({ success: true, errors: [] });
      });
    });
  },
);

it('two clients at once lose no update that the service would not lose', async () => {
  await withEmulator({}, async (one, emulator) => {
    const other = clientOf(emulator);
    const expressions = Array.from(
      { length: 40 },
      (_, index) => `http.host eq "${index}.example.com"`,
    );
    const before: number = (await one('GET', `${zone}/filters?per_page=100`)).body.result.length;
    const created = await Promise.all(
      expressions.map((expression, index) =>
        (index % 2 === 0 ? one : other)('POST', `${zone}/filters`, [{ expression }]),
      ),
    );
    expect(created.map(({ status }) => status)).toEqual(expressions.map(() => 200));
    const { result } = (await one('GET', `${zone}/filters?per_page=100`)).body;
    expect(result).toHaveLength(before + expressions.length);
    expect(new Set(result.map(({ id }: any) => id)).size).toBe(result.length);

    // an entry point is written as a whole: one of the two stands, whole, and each has its version
    const written = await Promise.all(
      [one, other].map((call, index) =>
        call('PUT', entryPoint(MIGRATED), { rules: [{ ...execute, ref: `by-${index}` }] }),
      ),
    );
    const versions = written.map(({ body }) => Number(body.result.version));
    expect(Math.abs((versions[0] ?? 0) - (versions[1] ?? 0))).toBe(1);
    const last = written[versions.indexOf(Math.max(...versions))]?.body.result;
    expect((await one('GET', entryPoint(MIGRATED))).body.result).toEqual(last);
  });
});

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function valueAt(body: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce((value: any, key) => value[key], body);
}
