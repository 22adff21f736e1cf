import { readStateHead } from '../../src/tfstate/parse-state';

describe('the head of a document', () => {
  const shown = { format_version: '1.0' };
  it.each<[object, string, string]>([
    [{ ...shown, planned_values: {} }, 'STATE_INVALID', 'a Terraform plan as JSON'],
    [{ ...shown, resource_changes: [] }, 'STATE_INVALID', 'a Terraform plan as JSON'],
    [shown, 'STATE_INVALID', 'what `terraform show -json` prints'],
    [{ format: 'cf-waf-migrate/finish-backup' }, 'STATE_INVALID', 'what `finish` has saved'],
    [{ encrypted_data: 'x' }, 'STATE_ENCRYPTED', 'encrypted by OpenTofu'],
    [{ encrypted_data: 7 }, 'STATE_INVALID', 'not a Terraform state'],
    [{ version: 3, modules: [] }, 'STATE_VERSION_UNSUPPORTED', 'format version 3'],
    [{ version: 3, terraform_version: '0.11.14' }, 'STATE_VERSION_UNSUPPORTED', 'version 3'],
    [{ version: 3 }, 'STATE_INVALID', 'not a Terraform state'],
    [{ version: 0, modules: [] }, 'STATE_INVALID', 'it has no format version'],
    [{ version: -1, modules: [] }, 'STATE_INVALID', 'it has no format version'],
    [{ version: 5 }, 'STATE_VERSION_UNSUPPORTED', 'format version 5'],
    [{ version: 4 }, 'STATE_INVALID', 'no list of `resources`'],
  ])('%j is refused as %s', (document, code, message) => {
    expect(() => readStateHead(document)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    );
  });

  it('is to be what terraform state pull prints, as it is', () => {
    const hint = 'pass what `terraform state pull` prints, as it is';
    expect(() => readStateHead({})).toThrow(expect.objectContaining({ hint }));
    const saved = { format: 'cf-waf-migrate/finish-backup' };
    const other = expect.stringContaining('before the old resources left it');
    expect(() => readStateHead(saved)).toThrow(expect.objectContaining({ hint: other }));
  });
});
