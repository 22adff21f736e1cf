import { holds } from '../../src/emulator/expression/evaluate';

const fields = (name: string): string | undefined => (name === 'http.host' ? 'last' : undefined);
const MANY = 50_000;
const hosts = Array.from({ length: MANY }, (_, at) => `http.host eq "h${at}"`);

describe('an expression with more parts than calls can nest', () => {
  it.each([
    ['or', [...hosts, 'http.host eq "last"'], true],
    ['or', hosts, false],
    ['and', hosts.map((one) => one.replace(' eq ', ' ne ')), true],
    ['and', hosts, false],
    ['xor', [...hosts, 'http.host eq "last"'], true],
    ['xor', [...hosts, 'http.host eq "last"', 'http.host eq "last"'], false],
  ])('joined by %s is evaluated', (connective, parts, expected) => {
    expect(holds(parts.join(` ${connective} `), fields)).toBe(expected);
  });
});
