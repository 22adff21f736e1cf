import { neutralisedVariables, terraformEnvironment } from '../../src/terraform/environment';
import { redactSecrets } from '../../src/terraform/failures';

describe('the environment of Terraform', () => {
  it.each(['TF_CLI_ARGS', 'TF_CLI_ARGS_plan', 'TF_LOG', 'TF_INPUT', 'Tf_Cli_Args', 'tf_log'])(
    'is without %s, in any case of letters',
    (name) => {
      expect(terraformEnvironment({ [name]: '-destroy', TF_WORKSPACE: 'prod' })).toEqual({
        TF_WORKSPACE: 'prod',
        TF_IN_AUTOMATION: '1',
        CHECKPOINT_DISABLE: '1',
      });
    },
  );

  it.each(['0', 'false'])(
    'says nothing of TF_INPUT=%s: Terraform asks nothing all the same',
    (off) => {
      expect(neutralisedVariables({ TF_INPUT: off })).toEqual([]);
      expect(neutralisedVariables({ TF_INPUT: '1' })).toEqual(['TF_INPUT']);
    },
  );

  it('names the variables that are left out, and no empty ones', () => {
    const environment = { tf_cli_args_plan: '-lock=false', TF_CLI_ARGS: '', TF_LOG_CORE: 'trace' };
    expect(neutralisedVariables({ ...environment, TF_WORKSPACE: 'prod' })).toEqual([
      'TF_LOG_CORE',
      'tf_cli_args_plan',
    ]);
  });
});

describe('what Terraform said', () => {
  it.each([
    ['https://u:p@ss@host/state?private_token=glpat-x#y', 'https://host/state?[redacted]#y'],
    ['Get "http://token@[::1]:80/a?b=c": refused', 'Get "http://[::1]:80/a?[redacted]": refused'],
    ['[git::https://h/a.git//m?ref=v1.2.3]: x', '[git::https://h/a.git//m?ref=v1.2.3]: x'],
    ['postgres://u:p@db/x, s3://bucket/key', 'postgres://db/x, s3://bucket/key'],
    [
      'see https://example.com/a?b, mail a@example.com',
      'see https://example.com/a?[redacted] mail a@example.com',
    ],
  ])('of %s nothing secret is told', (said, told) => {
    expect(redactSecrets(said, {})).toBe(told);
  });

  it('holds no line of a secret of several', () => {
    const environment = { TLS_PRIVATE_KEY: 'BEGIN OF KEY\nMIIEvQIBADAN\n' };
    expect(redactSecrets('pem: MIIEvQIBADAN.', environment)).toBe('pem: [redacted].');
    const json = { GOOGLE_CREDENTIALS: '{\r\n          "id": "0123456789"\r\n}' };
    expect(redactSecrets('Plan:          "id": "0123456789"', json)).toBe(
      'Plan:          [redacted]',
    );
    const database = { PG_CONN_STR: 'postgres://u:p/w@h/db' };
    expect(redactSecrets('cannot open postgres://u:p/w@h/db', database)).toBe(
      'cannot open [redacted]',
    );
    const encryption = {
      TF_ENCRYPTION: 'key_provider "pbkdf2" "a" {\n  passphrase = "long enough"\n}',
    };
    expect(redactSecrets('on TF_ENCRYPTION line 2: passphrase = "long enough"', encryption)).toBe(
      'on TF_ENCRYPTION line 2: [redacted]',
    );
    const passphrase = { TF_VAR_passphrase: 'long enough' };
    expect(redactSecrets('not long enough', passphrase)).toBe('not [redacted]');
  });
});
