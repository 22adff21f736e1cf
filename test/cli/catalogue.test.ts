import { runCli } from '../support/run-cli';

const FULL = 'e35c9a670b864a3ba0203ffb1bc977d1';
const lookup = (args: string[]) => runCli(['catalogue', 'lookup', ...args]);

it('names the new ids of a legacy one, with their basis, and where that is from', async () => {
  const ran = await lookup(['100005', '--json']);
  expect([ran.code, ran.stderr]).toEqual([0, '']);
  const { matches, attribution } = JSON.parse(ran.stdout);
  expect(matches.map(({ ending, newId, basis, of }: any) => [ending, newId, basis, of])).toEqual([
    ['ae5baf61', undefined, 'stated-suffix', 2],
    ['1bc977d1', FULL, 'stated-full', 2],
  ]);
  expect(attribution).toContain('CC BY 4.0');
});

it.each([FULL, '1bc977d1', '1BC977D1', ` ${FULL}\n`])('names the legacy id of %j', async (id) => {
  const { matches } = JSON.parse((await lookup([id, '--json'])).stdout);
  expect(matches).toEqual([expect.objectContaining({ legacyId: '100005', newId: FULL })]);
});

it('lists the rules of a group', async () => {
  const id = '8df6c9aaddcbdf0eceb047bc50873697';
  const { matches } = JSON.parse((await lookup([id, '--json'])).stdout);
  expect(matches[0]).toMatchObject({ groupId: id, title: 'Cloudflare Drupal' });
  expect(matches).toContainEqual(expect.objectContaining({ legacyId: 'D0000' }));
  const { code, stdout } = await lookup([id.toUpperCase()]);
  expect([code, stdout.includes(`legacy group ${id}: Cloudflare Drupal`)]).toEqual([0, true]);
  const unnamed = await lookup(['ea8687e59929c1fd05ba97574ad43f77']);
  expect([unnamed.code, unnamed.stdout.includes('no')]).toEqual([0, true]);
});

it('says so in words, and exits with 2 where it knows nothing', async () => {
  const known = await lookup(['100000']);
  expect(known.stdout).toContain('legacy rule 100000 → no known replacement');
  const full = await lookup(['100532']);
  expect(full.stdout).toContain('legacy rule 100532 → 0242110ae62e44028a13bf4834780914');
  expect(full.stdout).toContain('\n  source: the change log names the complete id\n');
  const none = await lookup(['\u001b[31m999']);
  expect([none.code, none.stdout]).toEqual([
    2,
    expect.stringMatching(/^no entry in the catalogue for \\u\{1b\}\[31m999\n/),
  ]);
});

it.each([[[]], [['100005', '100006']]])('takes one id, not %j', async (args) => {
  expect((await lookup(args)).code).toBe(64);
});
