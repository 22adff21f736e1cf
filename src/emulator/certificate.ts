import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A private key and the certificate for it, both as PEM. */
interface ServerIdentity {
  readonly key: string;
  readonly certificate: string;
}

const DAY = 24 * 60 * 60 * 1000;
const ecdsaWithSha256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'));
const TRUE = der(0x01, Buffer.from([0xff]));

/**
 * Creates a self-signed identity for 127.0.0.1 and localhost, valid for one week. The
 * certificate is its own CA, so a client needs to trust only this one file. Node can create keys
 * and signatures but not certificates (RFC 5280).
 */
export function createIdentity(): ServerIdentity {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(
    der(
      0x31,
      sequence(objectIdentifier('2.5.4.3'), der(0x0c, Buffer.from('cf-waf-migrate emulator'))),
    ),
  );
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x01;
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ecdsaWithSha256,
    name,
    sequence(utcTime(Date.now() - DAY), utcTime(Date.now() + 7 * DAY)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions())),
  );
  const signature = sign('sha256', signed, privateKey);
  const certificate = sequence(signed, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: pem(certificate),
  };
}

function extensions(): Buffer[] {
  const extension = (id: string, critical: boolean, value: Buffer): Buffer =>
    sequence(objectIdentifier(id), ...(critical ? [TRUE] : []), der(0x04, value));
  const addresses = sequence(
    der(0x82, Buffer.from('localhost')),
    der(0x87, Buffer.from([127, 0, 0, 1])),
  );
  return [
    extension('2.5.29.19', true, sequence(TRUE)),
    // digitalSignature and keyCertSign: bits 0 and 5.
    extension('2.5.29.15', true, der(0x03, Buffer.from([2, 0b1000_0100]))),
    extension('2.5.29.37', false, sequence(objectIdentifier('1.3.6.1.5.5.7.3.1'))),
    extension('2.5.29.17', false, addresses),
  ];
}

function pem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

/** Encodes a DER value: tag, length, content (X.690). */
function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body]);
}

/** SEQUENCE. */
function sequence(...content: readonly Uint8Array[]): Buffer {
  return der(0x30, ...content);
}

/** OBJECT IDENTIFIER, from its dotted form. */
function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** UTCTime, which is valid until 2049. */
function utcTime(time: number): Buffer {
  const digits = new Date(time).toISOString().replace(/[-:T]/g, '').slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}
