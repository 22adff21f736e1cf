import { pickLegacyResources, parseState } from '../../src/tfstate/parse-state';
import { rawResource, rawState } from '../support/arbitrary-state';

const refused = (state: unknown, code: string, ...texts: string[]) => {
  const bytes = Buffer.isBuffer(state)
    ? state
    : Buffer.from(typeof state === 'string' ? state : JSON.stringify(state));
  let error: any;
  try {
    // The planner's way: whatever is wrong is found before anything is planned.
    pickLegacyResources(parseState(bytes));
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({ name: 'MigrationError', code });
  for (const text of texts) expect(`${error.message} | ${error.hint}`).toContain(text);
  // Lower case at the start, no full stop at the end, no secret, no control character.
  expect(error.message).toMatch(/^[^A-Z].*[^.]$/);
  expect(error.message).not.toMatch(/[\p{Cc}\p{Cf}]|s3cret/u);
};
const invalid = (state: unknown, ...texts: string[]) => {
  refused(state, 'STATE_INVALID', ...texts);
};
const broken = (changes: object) => rawState([rawResource({ name: 'a' }), rawResource(changes)]);
const instance = (changes: object) => broken({ instances: [{ attributes: {}, ...changes }] });
const whole = JSON.stringify(rawState([rawResource({ name: 'x', note: 's3cret' })]), null, 2);

describe('what is no state is refused:', () => {
  it.each(['', ' \n\t\n', '\ufeff', '\ufeff\n'])('an empty file, %j', (text) => {
    invalid(text, 'the state is empty', 'terraform workspace show');
  });

  it('a file that is not JSON, or is cut off, and never what stands there', () => {
    invalid('s3cret', 'not JSON', '--terraform');
    for (const text of [whole.replace('"s3cret"', '"s3cret" s3cret'), `${whole}${whole}`])
      invalid(text, 'not JSON', 'terraform.tfstate.backup');
    for (let length = 1; length < whole.length; length += 1) {
      invalid(whole.slice(0, length), 'cut off');
    }
  });

  it.each<[string, Buffer]>([
    ['UTF-16 from PowerShell', Buffer.from(`\ufeff${whole}`, 'utf16le')],
    ['gzip', Buffer.from([0x1f, 0x8b, 8, 0])],
    ['Latin-1', Buffer.from(whole.replace('s3cret', 'é'), 'latin1')],
  ])('%s', (_, bytes) => {
    invalid(bytes, 'not UTF-8', 'saved plan', 'cmd /c');
  });

  it.each([[null], [[]], [[rawState([])]], ['4'], [4], [true]])('the JSON %j', (value) => {
    invalid(JSON.stringify(value), 'not a Terraform state', 'state pull');
  });

  const other = 'not a Terraform state';
  const later = 'of Terraform 0.12 or later prints, or update';
  const shown = { format_version: '1.0' };
  it.each<[object, string, ...string[]]>([
    [{}, 'STATE_INVALID', other, 'prints, unchanged'],
    [{ success: true, errors: [], messages: [], result: {} }, 'STATE_INVALID', other],
    [{ version: '4' }, 'STATE_INVALID', other],
    [{ version: 4.5 }, 'STATE_INVALID', other],
    [{ version: 0, modules: [] }, 'STATE_INVALID', other],
    [{ version: -1, modules: [] }, 'STATE_INVALID', other],
    [{ version: 3, dependencies: {} }, 'STATE_INVALID', other],
    [{ version: 3, modules: [] }, 'STATE_VERSION_UNSUPPORTED', 'format version 3', later],
    [{ version: 3, terraform_version: '0.11.14' }, 'STATE_VERSION_UNSUPPORTED', 'version 3'],
    [{ version: 5 }, 'STATE_VERSION_UNSUPPORTED', 'format version 5', later],
    [{ version: 4 }, 'STATE_INVALID', 'resources: expected a list'],
    [{ ...shown, planned_values: {} }, 'STATE_INVALID', 'what `terraform show -json` prints'],
    [shown, 'STATE_INVALID', 'what `terraform show -json` prints'],
    [{ encrypted_data: 's3cret' }, 'STATE_ENCRYPTED', 'by OpenTofu', 'tofu state pull'],
    [{ encryption_version: 'v0' }, 'STATE_ENCRYPTED', 'by OpenTofu'],
    [{ encrypted_data: 7 }, 'STATE_INVALID', other],
  ])('the object %j, as %s', (document, code, ...texts) => {
    refused(document, code, ...texts);
  });

  it.each([null, {}])('a state whose resources are %j', (resources) => {
    invalid({ version: 4, resources }, 'resources');
  });

  it.each([
    ['terraform_version', 1.11],
    ['terraform_version', 's3cret\u001b'],
    ['serial', '7'],
    ['serial', -1],
    ['serial', 1.5],
    ['lineage', 7],
  ])('a state whose %s is %j', (name, value) => {
    invalid({ ...rawState([]), [name]: value }, name);
  });
});

describe('a resource of a wrong shape is refused, with its position:', () => {
  it.each([[null], [[]], ['x'], [7]])('%j', (value) => {
    invalid(rawState([rawResource(), value]), 'resource 2', '`mode`');
  });

  it.each([
    ['mode', 'ephemeral'],
    ['mode', undefined],
    ['type', 7],
    ['name', ''],
    ['name', 'a b\u001b[2J'],
    ['name', 7],
    ['module', 'nonsense'],
    ['module', 'module.a["${x}"]'],
    ['module', 7],
    ['module', ['module.a']],
    ['provider', 's3cret'],
    ['provider', 'module.a[0].provider["registry.terraform.io/cloudflare/cloudflare"]'],
    ['provider', undefined],
    ['instances', {}],
    ['instances', undefined],
  ])('%s is %j', (name, value) => {
    invalid(broken({ [name]: value }), 'resource 2', `\`${name}\``);
  });

  it('one of no interest is held to the same shape', () => {
    invalid(broken({ type: 'aws_instance', mode: 's3cret' }), 'resource 2', '`mode`');
    invalid(broken({ type: 'aws_instance', instances: 's3cret' }), 'resource 2', '`instances`');
    invalid(broken({ type: 'aws_instance', provider: undefined }), 'resource 2', '`provider`');
  });

  it.each([
    ['index_key', 1.5],
    ['index_key', -1],
    ['index_key', 1e300],
    ['index_key', true],
    ['index_key', {}],
    ['deposed', 's3cret'],
    ['deposed', 7],
    ['deposed', 12345678],
    ['deposed', 'x0a0b0c0d'],
    ['deposed', '0a0b0c0dx'],
    ['schema_version', '0'],
    ['attributes', []],
    ['attributes', 's3cret'],
  ])('an instance whose %s is %j', (name, value) => {
    invalid(instance({ [name]: value }), 'cloudflare_waf_rule.r', `\`${name}\``);
  });

  it('an instance that is no object, or has flat attributes that are no map of strings', () => {
    invalid(broken({ instances: ['s3cret'] }), 'cloudflare_waf_rule.r', '`instances`');
    const flat = { attributes: undefined, attributes_flat: { a: { b: 's3cret' } } };
    invalid(instance(flat), '`attributes_flat`');
  });
});
