import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

/**
 * X.509 certificates (RFC 5280) created during a test: the repository contains no keys, and neither openssl nor a
 * package is needed. ECDSA P-256 with SHA-256, with only the fields that a TLS client checks.
 */
export interface Certificate {
  /** PEM. */
  cert: string;
  /** PEM. */
  key: string;
}

export interface CertificateTerms {
  names: string[];
  notBefore?: Date;
  notAfter?: Date;
  /** Absent: `ec`. */
  keyType?: 'ec' | 'rsa';
}

export interface Authority {
  /** PEM of the root, to be trusted. */
  cert: string;
  issue(terms: CertificateTerms): Certificate;
}

const DAY_MS = 86_400_000;
const ECDSA_WITH_SHA256 = '06082a8648ce3d040302';

export function createAuthority(commonName: string): Authority {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const root = certificate(keys.publicKey, commonName, { names: [] }, commonName, keys.privateKey, true);
  return {
    cert: root,
    issue(terms) {
      const isRsa = terms.keyType === 'rsa';
      const leaf = isRsa
        ? generateKeyPairSync('rsa', { modulusLength: 2048 })
        : generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const subject = terms.names[0] ?? 'unnamed';
      const cert = certificate(leaf.publicKey, subject, terms, commonName, keys.privateKey, false);
      return { cert, key: pemKey(leaf.privateKey) };
    },
  };
}

export function selfSigned(terms: CertificateTerms): Certificate {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject = terms.names[0] ?? 'unnamed';
  const cert = certificate(keys.publicKey, subject, terms, subject, keys.privateKey, false);
  return { cert, key: pemKey(keys.privateKey) };
}

function certificate(
  publicKey: KeyObject,
  subject: string,
  { names, notBefore = daysFromNow(-1), notAfter = daysFromNow(1) }: CertificateTerms,
  issuer: string,
  issuerKey: KeyObject,
  isAuthority: boolean,
): string {
  const algorithm = sequence(Buffer.from(ECDSA_WITH_SHA256, 'hex'));
  const extensions = [
    ...(isAuthority ? [extension('0603551d13', true, sequence(der(0x01, Buffer.from([0xff]))))] : []), // basicConstraints
    ...(names.length > 0 ? [extension('0603551d11', false, sequence(...names.map(dnsName)))] : []), // subjectAltName
  ];
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, Buffer.concat([Buffer.from([1]), randomSerial()])),
    algorithm,
    distinguishedName(issuer),
    sequence(utcTime(notBefore), utcTime(notAfter)),
    distinguishedName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signed = sequence(toBeSigned, algorithm, bitString(sign('sha256', toBeSigned, issuerKey)));
  return `-----BEGIN CERTIFICATE-----\n${signed.toString('base64')}\n-----END CERTIFICATE-----\n`;
}

let serial = 0;
const randomSerial = (): Buffer => {
  const bytes = Buffer.alloc(10);
  bytes.writeUInt32BE((serial += 1));
  bytes.writeUIntBE(Date.now(), 4, 6);
  return bytes;
};

function der(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  return Buffer.concat([Buffer.from([tag, 0x82, body.length >> 8, body.length & 0xff]), body]);
}

const sequence = (...content: Buffer[]): Buffer => der(0x30, ...content);
const bitString = (bits: Buffer): Buffer => der(0x03, Buffer.from([0]), bits);
const dnsName = (name: string): Buffer => der(0x82, Buffer.from(name, 'ascii'));
const utcTime = (date: Date): Buffer =>
  der(0x17, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`, 'ascii'));
const distinguishedName = (commonName: string): Buffer =>
  sequence(der(0x31, sequence(Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from(commonName, 'utf8')))));
const extension = (oid: string, critical: boolean, value: Buffer): Buffer =>
  sequence(Buffer.from(oid, 'hex'), ...(critical ? [der(0x01, Buffer.from([0xff]))] : []), der(0x04, value));

const pemKey = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();
export const daysFromNow = (days: number): Date => new Date(Date.now() + days * DAY_MS);
