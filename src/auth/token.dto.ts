import { ApiProperty } from '@nestjs/swagger';
import { ApiEnum, valuesOf } from '../openapi/api-field.js';
import type { OAuthErrorCode } from './oauth-error.js';
import { TOKEN_LIFETIME_SECONDS } from './token-claims.js';
import type { PublicJwk } from './signing-keys.js';

/** RFC 6749 §4.4.2. Read by `parseTokenRequest`; this class is only documentation. */
export class TokenRequestDto {
  /** The only supported grant type. @example 'client_credentials' */
  grant_type: 'client_credentials';

  /** Required with `client_secret`; omit both only if the credentials are sent with HTTP Basic. */
  client_id?: string;

  /** Omit it if the credentials are sent with HTTP Basic: they are accepted in one place only. */
  client_secret?: string;

  /** Space-separated, such as `shops:read flows:write payments:write`; default: all scopes of the client. */
  scope?: string;
}

/** RFC 6749 §5.1. */
export class TokenResponseDto {
  /** A JWT, to be sent as `Authorization: Bearer …`. @example 'eyJhbGciOiJIUzI1NiIs…' */
  access_token: string;

  /** @example 'Bearer' */
  token_type: 'Bearer';

  /** Seconds. @example 3600 */
  expires_in: number;

  /** The scopes of the token, space-separated.
   * @example 'shops:read shops:write flows:read flows:write payments:read payments:write' */
  scope: string;

  static from(accessToken: string, scope: string): TokenResponseDto {
    return { access_token: accessToken, token_type: 'Bearer', expires_in: TOKEN_LIFETIME_SECONDS, scope };
  }
}

/** RFC 6749 §5.2, extended by `too_many_requests`. */
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

  /** A description for people. @example 'the client is unknown or revoked, or its secret is wrong' */
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
  /** A token's `kid` names its key. Empty if tokens are signed with a shared secret. */
  @ApiProperty({ type: 'array', items: JWK })
  keys: object[];

  static from(keys: PublicJwk[]): JwksDto {
    return { keys };
  }
}
