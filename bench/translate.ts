import { join } from 'node:path';
import { type Catalogue } from '../src/translate/catalogue/catalogue';
import { type LegacySettings } from '../src/translate/source/legacy-settings';
import { type Report } from '../src/report/report';
import { type Translation } from '../src/translate/translate-zone';
import { median, type Row, sized } from './measure';

interface Built {
  readonly builtInCatalogue: () => Catalogue;
  readonly translateZone: (old: LegacySettings, options: { catalogue: Catalogue }) => Translation;
  readonly reportFormats: Readonly<Record<string, (report: Report) => string>>;
}

/** Wall-clock and processor time of a run. */
interface Taken {
  readonly seconds: number;
  readonly busy: number;
}

const OWASP = 'c504870194831cd12c3fc0284f294abb';
const CLOUDFLARE = '1e334934fd7ae32ad705667f8c1057aa';
const GROUPS = ['8df6c9aaddcbdf0eceb047bc50873697', 'f90712123fb02287348dd34c0a282bb9'];
const modes = ['disable', 'simulate', 'block', 'challenge', 'default'];
const zones = sized(1000, 10);
const perZone = 500;
const limitSeconds = 30;
/** The limit for the time of ten times the input. */
const limitGrowth = 11;

/** A zone with 500 settings of every kind, different from the other zones. */
function makeZone(number: number, ids: readonly string[]): LegacySettings {
  const pick = <T>(all: readonly T[], at: number): T => {
    const one = all[(at + number) % all.length];
    if (one === undefined) throw new RangeError('nothing to pick from');
    return one;
  };
  const rules = Array.from({ length: 466 }, (_, at) => ({
    from: `module.zones["${number}"].cloudflare_waf_rule.r["${at}"]`,
    ruleId: pick(ids, at),
    packageId: CLOUDFLARE,
    groupId: undefined,
    mode: pick(modes, at),
  }));
  const overrides = Array.from({ length: 4 }, (_, at) => ({
    from: `module.zones["${number}"].cloudflare_waf_override.o["${at}"]`,
    id: undefined,
    description: `override ${at}`,
    urls: [`shop${at}.example.com/cart/*`, `*.example.com/api/${at}/*`],
    rules: Object.fromEntries(
      Array.from({ length: 5 }, (__, entry) => [pick(ids, at * 40 + entry), pick(modes, entry)]),
    ),
    groups: {},
    rewriteAction: {},
    paused: false,
  }));
  return {
    zoneId: number.toString(16).padStart(32, '0'),
    packages: [{ from: 'package', packageId: OWASP, sensitivity: 'medium', actionMode: 'block' }],
    groups: GROUPS.map((groupId, at) => {
      return {
        from: `group[${at}]`,
        groupId,
        packageId: CLOUDFLARE,
        mode: at === 0 ? 'off' : 'on',
      };
    }),
    rules,
    overrides,
    firewallRules: Array.from({ length: 5 }, (_, at) => ({
      ...{ from: `firewall[${at}]`, id: undefined, action: 'bypass', products: ['waf'] },
      ...{ expression: `ip.src eq 192.0.2.${at}`, paused: false, description: '' },
    })),
    pageRules: Array.from({ length: 5 }, (_, at) => ({
      ...{ from: `page[${at}]`, id: undefined, target: `old.example.com/${at}/*`, priority: at },
      ...{ active: true, disableSecurity: false, waf: 'off' },
    })),
    known: { groups: [], rules: [] },
  };
}

async function load(): Promise<Built> {
  const from = async (path: string): Promise<unknown> =>
    import(join(__dirname, '../dist/translate', path));
  return {
    ...((await from('catalogue/catalogue.js')) as Pick<Built, 'builtInCatalogue'>),
    ...((await from('translate-zone.js')) as Pick<Built, 'translateZone'>),
    ...((await from('../report/formats/registry.js')) as Pick<Built, 'reportFormats'>),
  };
}

/** Translating many zones and reporting each as JSON and as HTML: seconds, and how they grow. */
export async function benchTranslate(): Promise<Row[]> {
  const { builtInCatalogue, translateZone, reportFormats } = await load();
  const catalogue = builtInCatalogue();
  const ids = [...catalogue.legacyRules.values()].map(({ id }) => id);
  const run = (count: number, first: number): Taken => {
    const [start, used] = [process.hrtime.bigint(), process.cpuUsage()];
    for (let number = first; number < first + count; number += 1) {
      const { zoneId, parity, findings } = translateZone(makeZone(number, ids), { catalogue });
      if (parity.summary.settings !== perZone) {
        throw new Error(`${parity.summary.settings} settings instead of ${perZone}`);
      }
      const report = { zones: [{ zoneId, against: 'the translation', parity, findings }] };
      for (const format of ['json', 'html']) {
        if (!reportFormats[format]?.(report).includes(zoneId)) throw new Error(`no ${format}`);
      }
    }
    const { user, system } = process.cpuUsage(used);
    return { seconds: Number(process.hrtime.bigint() - start) / 1e9, busy: (user + system) / 1e6 };
  };
  run(20, 0); // warms up the compiler
  // before and after, so that other load on the machine affects both
  const before = [1, 2].map((round) => run(zones / 10, round * zones).busy);
  const large = run(zones, 0);
  const after = [3, 4, 5].map((round) => run(zones / 10, round * zones).busy);
  const small = median([...before, ...after]);
  const name = `translate and report ${zones} zones of ${perZone} settings`;
  return [
    {
      name: `${name}, against ${limitSeconds} s`,
      ratio: large.seconds / limitSeconds,
      limit: 1,
      measured: `${large.seconds.toFixed(1)} s`,
    },
    {
      name: `${name}, against a tenth of the zones`,
      ratio: large.busy / small,
      limit: limitGrowth,
      measured: `${large.busy.toFixed(1)} / ${small.toFixed(2)} s of the processor`,
    },
  ];
}
