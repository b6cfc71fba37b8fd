import { ApiProperty } from '@nestjs/swagger';
import { type Scope, SCOPES, sortScopes } from '../../access/scopes.js';
import { ENUM_NAME } from '../../openapi/api-field.js';

/** The public fields of a client of `ApiClientsService`. */
interface ApiClient {
  clientId: string;
  name: string;
  scopes: string[];
  createdAt: Date;
  revokedAt: Date | null;
}

/** Not called `ApiClient`: generated packages have a class of that name. */
export class OAuthClientDto {
  /** The client's id in token requests. @example 'client_0c8c1d1e6f0a' */
  client_id: string;
  /** @example 'checkout' */
  name: string;
  /** The maximum scopes of its tokens. @example ['payments:read', 'payments:write'] */
  @ApiProperty({ type: 'array', items: { type: 'string', enum: [...SCOPES], [ENUM_NAME]: 'Scope' } as object })
  scopes: Scope[];
  /** @example '2026-11-21T01:02:03.456Z' */
  created_at: string;
  /** Since when it gets no tokens and its tokens no longer work; `null`: active. */
  revoked_at: string | null;

  static from({ clientId, name, scopes, createdAt, revokedAt }: ApiClient): OAuthClientDto {
    return {
      client_id: clientId,
      name,
      scopes: sortScopes(scopes).known,
      created_at: createdAt.toISOString(),
      revoked_at: revokedAt?.toISOString() ?? null,
    };
  }
}
