import { ApiProperty } from '@nestjs/swagger';
import { ApiEnum, valuesOf } from '../openapi/api-field.js';
import type { OAuthErrorCode } from './oauth-error.js';
import { TOKEN_LIFETIME_SECONDS } from './token-claims.js';
import type { PublicJwk } from './signing-keys.js';

/** RFC 6749 §4.4.2. Read by `parseTokenRequest`; this class only documents it. */
export class TokenRequestDto {
  /** The only grant there is.
   * @example 'client_credentials' */
  grant_type: 'client_credentials';

  /** With `client_secret`; absent when the credentials come by HTTP Basic, and only then. */
  client_id?: string;

  /** Absent when the credentials come by HTTP Basic: they are taken in one place alone. */
  client_secret?: string;

  /** Space-separated, such as `shops:read flows:write payments:write`; absent: all scopes that the client holds. */
  scope?: string;
}

/** RFC 6749 §5.1. */
export class TokenResponseDto {
  /** A JWT, to be sent as `Authorization: Bearer …`.
   * @example 'eyJhbGciOiJIUzI1NiIs…' */
  access_token: string;

  /** @example 'Bearer' */
  token_type: 'Bearer';

  /** Seconds.
   * @example 3600 */
  expires_in: number;

  /** What the token may do, space-separated.
   * @example 'shops:read shops:write flows:read flows:write payments:read payments:write' */
  scope: string;

  static from(accessToken: string, scope: string): TokenResponseDto {
    return { access_token: accessToken, token_type: 'Bearer', expires_in: TOKEN_LIFETIME_SECONDS, scope };
  }
}

/** RFC 6749 §5.2; `too_many_requests` is ours. */
export class TokenErrorDto {
  /** @example 'invalid_client' */
  @ApiEnum(
    'TokenErrorCode',
    valuesOf<OAuthErrorCode>({
      too_many_requests: true,
      invalid_request: true,
      invalid_client: true,
      unsupported_grant_type: true,
      invalid_scope: true,
    }),
  )
  error: OAuthErrorCode;

  /** For a person to read.
   * @example 'the client is unknown or revoked, or its secret is wrong' */
  error_description: string;
}

/** RFC 7517 §4. */
const JWK = {
  type: 'object',
  required: ['kty', 'kid', 'alg', 'use'],
  properties: {
    kty: { type: 'string' },
    kid: { type: 'string' },
    alg: { type: 'string' },
    use: { type: 'string', enum: ['sig'] },
  },
  additionalProperties: true,
};

/** RFC 7517 §5. */
export class JwksDto {
  /** A token's `kid` names its key. Empty when tokens are signed with a shared secret. */
  @ApiProperty({ type: 'array', items: JWK })
  keys: object[];

  static from(keys: PublicJwk[]): JwksDto {
    return { keys };
  }
}
