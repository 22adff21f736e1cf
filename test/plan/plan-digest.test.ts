import { digestOf, withDigest } from '../../src/plan/plan';
import { everyStep, noStep } from './support/every-step';

/** With the keys of each object in the other direction. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, turned(one)] as const);
  return Object.fromEntries(entries.reverse());
}

describe('the digest of a plan', () => {
  it('is the same on every machine and in every version', () => {
    expect(digestOf(noStep)).toBe(
      '973195dc1dfe8349c9ccca0596f69dc48efbb1aedeb20a2065947c475ad084c5',
    );
  });

  it('stays, whatever the order of the keys and the digest that is there', () => {
    const other = turned({ ...everyStep, digest: 'x' }) as typeof everyStep;
    expect(digestOf(other)).toBe(digestOf(everyStep));
  });

  it('stands behind the version', () => {
    const { digest, ...rest } = everyStep;
    const made = withDigest(rest);
    expect(Object.keys(made).slice(0, 3)).toEqual(['format', 'formatVersion', 'digest']);
    expect(made).toEqual({ ...rest, digest: digestOf(everyStep) });
    expect(made.digest).not.toBe(digest);
  });
});
