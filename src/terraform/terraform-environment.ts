import { NEUTRALISED_VARIABLES } from '../core/terraform-syntax';

type Environment = Readonly<Record<string, string | undefined>>;

/** Windows reads variables in any case. */
const NEUTRALISED = new RegExp(`^(${NEUTRALISED_VARIABLES.join('|')})`, 'i');
const SECRET = /TOKEN|KEY|SECRET|PASSWORD|PASSPHRASE|CREDENTIAL|CONN_STR|^TF_ENCRYPTION$/i;

/** What Terraform gets: the user's environment, `TF_WORKSPACE` and `TF_DATA_DIR` included. */
export function terraformEnvironment(environment: Environment): Record<string, string | undefined> {
  const inherited = Object.entries(environment).filter(([name]) => !NEUTRALISED.test(name));
  return { ...Object.fromEntries(inherited), TF_IN_AUTOMATION: '1', CHECKPOINT_DISABLE: '1' };
}

/** Variables of the user that are left out, but for empty ones, and what is done all the same: to ask nothing. */
export function neutralisedVariables(environment: Environment): string[] {
  return Object.keys(environment)
    .filter((name) => NEUTRALISED.test(name) && environment[name] !== '')
    .filter((name) => !/^TF_INPUT$/i.test(name) || !/^(0|false)$/i.test(environment[name] ?? ''))
    .sort();
}

/** Who asks and what for, in an address: names of users, tokens and signatures stand there. */
const OF_ADDRESS =
  /\b([a-z][a-z0-9+.-]{0,20}:\/\/)(?:[^\s/?#"'`<>]*@)?([^\s?#"'`<>]*)(\?[^\s#"'`<>)\]]*)?/gi;
/** Which version of a module it is. */
const REVISION = /^\?ref=[\w./-]+$/;

/** Takes the values of secret variables, and what is secret in addresses, out of what Terraform said. */
export function redactSecrets(text: string, environment: Environment): string {
  const secrets = Object.entries(environment).flatMap(([name, value]) =>
    SECRET.test(name) && value !== undefined ? value.split('\n').map((line) => line.trim()) : [],
  );
  // the longest first: a secret can be the beginning of another one
  const told = secrets
    .filter((secret) => secret.length >= 8)
    .sort((one, other) => other.length - one.length)
    .reduce((left, secret) => left.replaceAll(secret, '[redacted]'), text);
  return told.replace(OF_ADDRESS, (_, scheme: string, place: string, query?: string) =>
    [scheme, place, query === undefined || REVISION.test(query) ? query : '?[redacted]'].join(''),
  );
}
