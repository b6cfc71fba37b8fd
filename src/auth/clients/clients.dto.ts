import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { type Rights, type Role, ROLE_NAMES, roleOf, scopesOf } from '../../access/roles.js';
import { type Scope, SCOPES, sortScopes } from '../../access/scopes.js';
import { ApiEnum, ENUM_NAME, IsOneOf } from '../../openapi/api-field.js';
import { IsIntegerIn, IsPlainName, IsSet, Optional } from '../../platform/http/validation/field-rules.js';
import { MAX_OVERLAP_SECONDS } from '../../shared/clock.js';
import { invalidField } from '../../shared/problem.js';
import { CLIENT_KINDS, type ClientKind } from '../api-client.entity.js';
import type { ClientChanges, IssuedCredentials, RotatedCredentials } from '../api-clients.service.js';

/** The public fields of a client of `ApiClientsService`. */
interface ApiClient {
  clientId: string;
  name: string;
  kind: ClientKind;
  role: string | null;
  scopes: string[];
  createdBy: string | null;
  createdAt: Date;
  changedAt: Date | null;
  revokedAt: Date | null;
}

/** `custom`: scopes of its own. */
const CLIENT_ROLES = [...ROLE_NAMES, 'custom'] as const;
type ClientRole = Role | 'custom';

const SCOPE_LIST = { type: 'array', items: { type: 'string', enum: [...SCOPES], [ENUM_NAME]: 'Scope' } } as object;

/** Not called `ApiClient`: generated packages have a class of that name. */
export class OAuthClientDto {
  /** The client's id in token requests. @example 'client_0c8c1d1e6f0a' */
  client_id: string;
  /** @example 'checkout' */
  name: string;
  /** `person`: signs in to the console. @example 'program' */
  @ApiEnum('ClientKind', CLIENT_KINDS)
  kind: ClientKind;
  /** The role that gives the scopes, also those of later versions; `custom`: the scopes are its own. @example 'developer' */
  @ApiEnum('ClientRole', CLIENT_ROLES)
  role: ClientRole;
  /** The maximum scopes of its tokens. @example ['payments:read', 'payments:write'] */
  @ApiProperty(SCOPE_LIST)
  scopes: Scope[];
  /** The client that made it; `null`: the command line, or the first start. @example 'client_7b1f' */
  created_by: string | null;
  /** @example '2026-11-21T01:02:03.456Z' */
  created_at: string;
  /** The last change of its name, kind, rights or secret, or its revocation. @example '2026-11-21T01:02:03.456Z' */
  updated_at: string;
  /** Since when it gets no tokens and its tokens no longer work; `null`: active. */
  revoked_at: string | null;

  static from(client: ApiClient): OAuthClientDto {
    const { clientId, name, kind, createdBy, createdAt, changedAt, revokedAt } = client;
    return {
      client_id: clientId,
      name,
      kind,
      role: roleOf(client) ?? 'custom',
      scopes: [...scopesOf(client)],
      created_by: createdBy,
      created_at: createdAt.toISOString(),
      updated_at: (revokedAt ?? changedAt ?? createdAt).toISOString(),
      revoked_at: revokedAt?.toISOString() ?? null,
    };
  }
}

export class CreatedOAuthClientDto extends OAuthClientDto {
  /** Shown only in this answer. @example 'secret_6f0a…' */
  client_secret: string;

  static fromCreated(client: ApiClient, { clientSecret }: IssuedCredentials): CreatedOAuthClientDto {
    return { ...OAuthClientDto.from(client), client_secret: clientSecret };
  }
}

const AreScopes = (): PropertyDecorator =>
  IsSet(SCOPES.length, ApiProperty({ ...SCOPE_LIST, minItems: 1, uniqueItems: true }), IsIn(SCOPES, { each: true }));

/** Throws `validation_failed`; `undefined`: neither is given. */
function toRights(role: ClientRole | undefined, scopes: Scope[] | undefined): Rights | undefined {
  if (scopes !== undefined && role !== 'custom') throw invalidField('scopes', 'is accepted only with role custom');
  if (role !== 'custom') return role && { role };
  if (scopes === undefined) throw invalidField('scopes', 'is required with role custom');
  return { role: null, scopes: sortScopes(scopes).known };
}

export class CreateClientDto {
  /** Shown in the audit log. @example 'Ada Lovelace' */
  @IsPlainName()
  name: string;

  /** `person`: signs in to the console. Default: `program`. @example 'person' */
  @Optional()
  @IsOneOf('ClientKind', CLIENT_KINDS)
  kind?: ClientKind;

  /** @example 'support' */
  @IsOneOf('ClientRole', CLIENT_ROLES)
  role: ClientRole;

  /** Only with the role `custom`. @example ['payments:read'] */
  @Optional()
  @AreScopes()
  scopes?: Scope[];

  /** Throws `validation_failed`. */
  static toClient({ name, kind = 'program', role, scopes }: CreateClientDto) {
    return { name, kind, rights: toRights(role, scopes)! };
  }
}

/** Omitted fields stay as they are. */
export class UpdateClientDto {
  /** @example 'Ada Lovelace' */
  @Optional()
  @IsPlainName()
  name?: string;

  /** @example 'person' */
  @Optional()
  @IsOneOf('ClientKind', CLIENT_KINDS)
  kind?: ClientKind;

  /** @example 'support' */
  @Optional()
  @IsOneOf('ClientRole', CLIENT_ROLES)
  role?: ClientRole;

  /** Only with the role `custom`. @example ['payments:read'] */
  @Optional()
  @AreScopes()
  scopes?: Scope[];

  /** Throws `validation_failed`. */
  static toChanges({ name, kind, role, scopes }: UpdateClientDto): ClientChanges {
    return { name, kind, rights: toRights(role, scopes) };
  }
}

export class RotateClientSecretDto {
  /** How long the old secret stays valid; 0: it stops at once. @example 0 */
  @Optional()
  @IsIntegerIn(0, MAX_OVERLAP_SECONDS)
  overlap_seconds?: number = 0;
}

export class RotatedClientSecretDto {
  /** @example 'client_0c8c1d1e6f0a' */
  client_id: string;
  /** Shown only in this answer. @example 'secret_6f0a…' */
  client_secret: string;
  /** Until when the old secret is valid; `null`: it is not. @example '2026-11-22T01:02:03.456Z' */
  previous_secret_expires_at: string | null;

  static from({ clientId, clientSecret, previousExpiresAt }: RotatedCredentials): RotatedClientSecretDto {
    return {
      client_id: clientId,
      client_secret: clientSecret,
      previous_secret_expires_at: previousExpiresAt?.toISOString() ?? null,
    };
  }
}
