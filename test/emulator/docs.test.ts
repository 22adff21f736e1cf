import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { faultSchema } from '../../src/emulator/faults';
import { loadScenario, scenarioNames, scenarioSchema } from '../../src/emulator/scenario';
import { routes } from '../../src/emulator/service';

const page = readFileSync(join(__dirname, '../../docs/emulator.md'), 'utf8');

/** What the rows of its tables begin with. */
const firstCells = [...page.matchAll(/^\| ([^|]*?) *\|/gm)].map(([, cell]) => cell);

describe('docs/emulator.md names', () => {
  it.each(scenarioNames)('the scenario %s', (name) => {
    expect(firstCells).toContain(`\`${name}\``);
  });

  it.each(Object.keys(scenarioSchema.shape.settings.unwrap().shape))('the setting %s', (name) => {
    expect(firstCells).toContain(`\`${name}\``);
  });

  it.each(faultSchema.options.map((option) => option.shape.kind.value))('the fault %s', (kind) => {
    expect(firstCells).toContain(`\`${kind}\``);
  });

  it('every part of a scenario and of a zone, with an example that can be loaded', () => {
    const [, parts] = /^JSON: `\{(.*?)\}`/m.exec(page) ?? [];
    expect(parts?.split(', ')).toEqual(Object.keys(scenarioSchema.shape));
    const fields = Object.keys(scenarioSchema.shape.zones.unwrap().element.shape);
    expect(firstCells).toEqual(expect.arrayContaining(fields.map((name) => `\`${name}\``)));
    const [, example = ''] = /^```json\n(.*?)^```/ms.exec(page) ?? [];
    expect(loadScenario(JSON.parse(example)).zones).toHaveLength(2);
  });

  it('the last fixed word of every path', () => {
    const words = routes.map(({ path }) => path.split('/').findLast((part) => !/^[:*]/.test(part)));
    for (const word of new Set(words)) {
      expect(page).toMatch(new RegExp(`[/…]${String(word)}(?![a-z])`));
    }
  });
});
