import { watchLines } from '../../src/terraform/output';

/** What is shown of what comes in these pieces. */
function shown(pieces: string[], environment: Record<string, string> = {}): string[] {
  const told: string[] = [];
  const { take, end } = watchLines((text) => told.push(text), environment);
  for (const piece of pieces) take(Buffer.from(piece, 'latin1'));
  end();
  return told;
}

describe('what Terraform says while it runs', () => {
  it('is shown in whole lines, the last one also without an end', () => {
    expect(shown(['a', 'b\nc\r\n', '', '\nd'])).toEqual(['ab\n', 'c\n', '\n', 'd\n']);
    expect(shown(['\u00c3', '\u00a9\n'])).toEqual(['é\n']);
  });

  it('holds no secret, also where that comes in two pieces', () => {
    const environment = { API_TOKEN: 'very-secret-token' };
    expect(shown(['with very-sec', 'ret-token\n'], environment)).toEqual(['with [redacted]\n']);
    expect(shown(['with very-\u001b[1msecret-token'], environment)).toEqual(['with [redacted]\n']);
  });

  it('drives no terminal: without its colours, and the rest as escapes', () => {
    const text = '\u001b[31mError\u001b[0m: \u001b]0;pwn\u0007x\b\u202ey\n';
    const [line] = shown([Buffer.from(text).toString('latin1')]);
    expect(line).toMatch(/^Error: .*x\\u\{8\}\\u\{202e\}y\n$/);
    // eslint-disable-next-line no-control-regex -- what drives a terminal
    expect(line).not.toMatch(/[\u001b\u0007\u202e]/);
  });

  it('keeps the space of tabs', () => {
    expect(shown(['a\tb\n'])).toEqual(['a    b\n']);
  });

  it('is cut where a line does not end', () => {
    const [line = ''] = shown(Array.from({ length: 100 }, () => 'x'.repeat(1000)));
    expect(line).toMatch(/^x{10000}…\n$/);
  });
});
