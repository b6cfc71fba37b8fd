import {
  createHash,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import { type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';
import { SCOPES } from '../../../src/access/scopes.js';
import { TOKEN_ISSUER } from '../../../src/auth/token-claims.js';

/** The client and merchant of a token. */
export interface TokenSubject {
  clientId: string;
  merchantId: number;
}

/** The value of an `Authorization` header; `undefined`: no header. */
type Authorization = string | undefined;

const HOUR = 3_600;
const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Creates tokens of a service whose RSA key it has, and tokens that an attacker without this key could create. */
export class TokenMaker {
  private readonly foreignKey = generateKeyPairSync('rsa', { modulusLength: 2048 });

  /** `published`: the key at `/.well-known/jwks.json`, which is all that an attacker knows. */
  constructor(
    private readonly privateKey: KeyObject,
    private readonly published: JsonWebKey & { kid: string },
  ) {}

  /** A token as the service itself would create it, with claims changed, or removed if `undefined`. */
  async token(subject: TokenSubject, changes: JWTPayload = {}): Promise<string> {
    return this.sign(this.claims(subject, changes), this.privateKey);
  }

  /** Tokens that must be refused, although all except the first few name a real client and all scopes. */
  async refused(subject: TokenSubject, revoked: TokenSubject): Promise<Record<string, Authorization>> {
    const now = Math.floor(Date.now() / 1000);
    const claims = this.claims(subject);
    const genuine = await this.token(subject);
    const bearer = async (token: string | Promise<string>): Promise<string> => `Bearer ${await token}`;
    return {
      'no token': undefined,
      garbage: 'Bearer garbage',
      'garbage of three parts': 'Bearer a.b.c',
      'a token of NULs and quotes': 'Bearer %00\'"<>.{}.',
      'the right token, but as Basic': `Basic ${genuine}`,
      expired: await bearer(this.token(subject, { iat: now - 2 * HOUR, exp: now - HOUR })),
      'without an expiry': await bearer(this.token(subject, { exp: undefined })),
      'not valid yet': await bearer(this.token(subject, { nbf: now + HOUR })),
      'wrong issuer': await bearer(this.token(subject, { iss: 'https://identity.example' })),
      'wrong audience': await bearer(this.token(subject, { aud: 'https://identity.example' })),
      'no merchant': await bearer(this.token(subject, { merchant_id: undefined })),
      'a revoked client': await bearer(this.token(revoked)),
      'an unknown client': await bearer(this.token({ ...subject, clientId: 'unknown' })),
      'alg: none': await bearer(this.unsigned(claims, 'none', '')),
      'alg: nOnE': await bearer(this.unsigned(claims, 'nOnE', '')),
      'alg: none, with a signature': await bearer(this.unsigned(claims, 'none', genuine.split('.')[2]!)),
      'changed after it was signed': await bearer(this.tampered(genuine)),
      'another key': await bearer(this.sign(claims, this.foreignKey.privateKey)),
      'another key in the header': await bearer(
        this.sign(claims, this.foreignKey.privateKey, { jwk: this.foreignKey.publicKey.export({ format: 'jwk' }) }),
      ),
      ...(await this.withPublicKeyAsSecret(claims, bearer)),
    };
  }

  /** HS256 with the public key as the secret, in each form that a library might accept. */
  private async withPublicKeyAsSecret(
    claims: JWTPayload,
    bearer: (token: Promise<string>) => Promise<string>,
  ): Promise<Record<string, string>> {
    const key = createPublicKey({ key: this.published, format: 'jwk' });
    const pem = key.export({ type: 'spki', format: 'pem' }) as string;
    const forms: Record<string, Buffer> = {
      PEM: Buffer.from(pem),
      'PEM without its last newline': Buffer.from(pem.trimEnd()),
      'PKCS #1 PEM': Buffer.from(key.export({ type: 'pkcs1', format: 'pem' })),
      DER: key.export({ type: 'spki', format: 'der' }),
      JWK: Buffer.from(JSON.stringify(this.published)),
      'the thumbprint': createHash('sha256').update(pem).digest(),
    };
    const tokens = Object.entries(forms).map(async ([form, secret]) => [
      `HS256 with the public key: ${form}`,
      await bearer(this.sign(claims, createSecretKey(secret), { alg: 'HS256' })),
    ]);
    return Object.fromEntries(await Promise.all(tokens)) as Record<string, string>;
  }

  private claims({ clientId, merchantId }: TokenSubject, changes: JWTPayload = {}): JWTPayload {
    const iat = Math.floor(Date.now() / 1000);
    const own = { sub: clientId, merchant_id: merchantId, scope: SCOPES.join(' '), iat, exp: iat + HOUR };
    return { ...own, iss: TOKEN_ISSUER, aud: TOKEN_ISSUER, ...changes };
  }

  private sign(claims: JWTPayload, key: KeyObject, header: Partial<JWTHeaderParameters> = {}): Promise<string> {
    const { kid } = this.published;
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid, ...header }).sign(key);
  }

  private unsigned(claims: JWTPayload, alg: string, signature: string): string {
    return `${encode({ alg, typ: 'JWT', kid: this.published.kid })}.${encode(claims)}.${signature}`;
  }

  /** A genuine token with another merchant. */
  private tampered(token: string): string {
    const [header, payload, signature] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload!, 'base64url').toString()) as { merchant_id: number };
    return `${header}.${encode({ ...claims, merchant_id: claims.merchant_id + 1 })}.${signature}`;
  }
}
