import { stackOf, textOf } from './support/generate-files';
import { answers } from './support/live-answer';
import { synthesise } from './support/read-back';

const { canonical } = answers;
const CONSTRAINT = '>= 5.19, < 6';

it.each([
  ['hcl', 'provider "cloudflare"'],
  ['tfjson', '"provider": {'],
] as const)(
  'a provider that is configured already gets no default configuration, in %s',
  (format, configuration) => {
    const text = (isConfigured: boolean) =>
      stackOf(canonical, { format, isConfigured }).providersFile!.text;
    expect(text(false)).toContain(configuration);
    expect(text(true)).not.toContain(configuration);
    expect(text(true)).toContain(CONSTRAINT);
  },
);

it('trap 8.2: CDKTF requires another version of the provider than the bindings pin', () => {
  const { terraform, provider } = JSON.parse(synthesise(textOf(canonical, { format: 'cdktf' })));
  expect(terraform.required_providers).toEqual({
    cloudflare: { source: 'cloudflare/cloudflare', version: CONSTRAINT },
  });
  expect(provider).toEqual({ cloudflare: [{}] });
  expect(stackOf(canonical, { format: 'cdktf' })).not.toHaveProperty('providersFile');
});

it.each(['', 'x', '../../etc', '0123456789ABCDEF0123456789ABCDEF', `${'0'.repeat(32)}"\n`])(
  'refuses %j as a zone id',
  (zoneId) => {
    expect(() => stackOf(canonical, { zoneId })).toThrow(
      expect.objectContaining({ code: 'ID_INVALID' }),
    );
  },
);
