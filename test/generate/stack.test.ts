import { type FormatName } from '../../src/core/format-names';
import canonical from '../fixtures/terraform/canonical/api-entrypoint.json';
import { goldenCases } from './support/golden';
import { stackOf, textOf } from './support/generate-files';
import { majors, type Part } from './support/live-answer';
import { synthesise } from './support/read-back';

const formats: FormatName[] = ['cdktf', 'hcl', 'tfjson'];
const config = goldenCases().find(({ name }) => name === 'config-answer')?.input;
const CONSTRAINT = '>= 5.19, < 6';

describe('the version of the provider', () => {
  it.each([
    ['hcl', 'provider "cloudflare"'],
    ['tfjson', '"provider": {'],
  ] as const)(
    'comes without a default configuration where the provider is configured already, in %s',
    (format, configuration) => {
      const text = (isConfigured: boolean) =>
        stackOf(canonical, { format, isConfigured }).providersFile!.text;
      expect(text(false)).toContain(configuration);
      expect(text(true)).not.toContain(configuration);
      expect(text(true)).toContain(CONSTRAINT);
    },
  );

  it('trap 8.2: is not the one that the bindings pin, in CDKTF', () => {
    const { terraform, provider } = JSON.parse(synthesise(textOf(canonical, { format: 'cdktf' })));
    expect(terraform.required_providers).toEqual({
      cloudflare: { source: 'cloudflare/cloudflare', version: CONSTRAINT },
    });
    expect(provider).toEqual({ cloudflare: [{}] });
    expect(stackOf(canonical, { format: 'cdktf' })).not.toHaveProperty('providersFile');
  });
});

describe('the entry point', () => {
  it.each(formats)('is guarded against its destruction when asked, in %s', (format) => {
    const guard = /prevent_?destroy/i;
    expect(textOf(canonical, { format, preventDestroy: true })).toMatch(guard);
    expect(textOf(canonical, { format, preventDestroy: false })).not.toMatch(guard);
  });

  it('is guarded in what CDKTF synthesises', () => {
    const text = synthesise(textOf(canonical, { format: 'cdktf', preventDestroy: true }));
    const { managed_rules } = JSON.parse(text).resource.cloudflare_ruleset;
    expect(managed_rules.lifecycle).toEqual({ prevent_destroy: true });
  });

  it.each(formats)('has the address that is told, in %s', (format) => {
    const options = { format, resourceName: 'my-waf_1' };
    const text = textOf(canonical, options);
    expect(stackOf(canonical, options).address).toBe('cloudflare_ruleset.my-waf_1');
    if (format === 'hcl') expect(text).toContain('resource "cloudflare_ruleset" "my-waf_1" {');
    else {
      const { resource } = JSON.parse(format === 'cdktf' ? synthesise(text) : text);
      expect(Object.keys(resource.cloudflare_ruleset)).toEqual(['my-waf_1']);
    }
  });
});

describe('what is declared, and sent by the call that finishes a migration', () => {
  it('has the refs, enabled and logging of the stack', () => {
    for (const { input } of goldenCases()) {
      const { declared, resourceFile } = stackOf(input);
      const { rules } = JSON.parse(resourceFile.text).resource.cloudflare_ruleset.managed_rules;
      const pick = ({ ref, enabled, logging }: Part) => ({ ref, enabled, logging });
      expect(
        declared.rules.map((rule) => pick({ ...rule, logging: rule.fields['logging'] })),
      ).toEqual(rules.map(pick));
    }
  });

  it('does not depend on format or provider', () => {
    const { declared } = stackOf(config);
    for (const format of formats) {
      for (const provider of majors) {
        expect(stackOf(config, { format, provider }).declared).toEqual(declared);
      }
    }
  });
});

describe('a request that names no zone', () => {
  it.each(['', 'x', '../../etc', '0123456789ABCDEF0123456789ABCDEF', `${'0'.repeat(32)}"\n`])(
    'is refused: %j',
    (zoneId) => {
      expect(() => stackOf(canonical, { zoneId })).toThrow(
        expect.objectContaining({ code: 'ID_INVALID' }),
      );
    },
  );
});
