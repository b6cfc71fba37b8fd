import { IsIn, IsString, Length } from 'class-validator';
import { ApiEnum } from '../openapi/api-field.js';
import { IsTime, Optional, timeOf } from '../platform/http/validation/field-rules.js';
import { PageQueryDto } from '../platform/http/validation/page-query.dto.js';
import { AUDIT_ACTIONS, type AuditAction, type AuditObject, type AuditFilter, type AuditRow } from './audit.queries.js';
import type { Matching } from '../platform/http/walked-page.js';
import type { Names } from './actor-names.service.js';
import type { AuditContext } from './audit-context.js';

const ACTIONS = Object.keys(AUDIT_ACTIONS);
const OBJECTS = [...new Set(Object.values(AUDIT_ACTIONS))];
const ACTORS = ['client', 'cli', 'system'] as const satisfies AuditContext['actor'][];

export class ListAuditQueryDto extends PageQueryDto {
  /** @example 'shop.webhook_secret_rotated' */
  @Optional()
  @IsIn(ACTIONS)
  action?: AuditAction;

  /** @example 'shop' */
  @Optional()
  @IsIn(OBJECTS)
  object_type?: AuditObject;

  /** @example '3' */
  @Optional()
  @IsString()
  @Length(1, 300)
  object_id?: string;

  /** @example 'client' */
  @Optional()
  @IsIn(ACTORS)
  actor?: AuditContext['actor'];

  /** @example 'client_0c8c1d1e6f0a' */
  @Optional()
  @IsString()
  @Length(1, 300)
  client_id?: string;

  /** Entries at this time or later. @example '2026-11-21T00:00:00Z' */
  @Optional()
  @IsTime()
  from?: string;

  /** Entries before this time. @example '2026-11-22T00:00:00Z' */
  @Optional()
  @IsTime()
  to?: string;

  static toFilter(query: ListAuditQueryDto): AuditFilter {
    const { action, object_type: objectType, object_id: objectId, actor, client_id: clientId, from, to } = query;
    return { action, objectType, objectId, actor, clientId, from: timeOf(from), to: timeOf(to) };
  }
}

export class AuditActorDto {
  /** `cli`: the command line, on the server; `system`: the service itself. @example 'client' */
  @ApiEnum('AuditActorType', ACTORS)
  type: AuditContext['actor'];
  /** `null` unless the actor was an API client. @example 'client_0c8c1d1e6f0a' */
  client_id: string | null;
  /** The name of the client or person now; `null`: unknown, or no client. @example 'Ada Lovelace' */
  name: string | null;
}

export class AuditObjectDto {
  /** @example 'shop' */
  @ApiEnum('AuditObjectType', OBJECTS)
  type: AuditObject;
  /** @example '3' */
  id: string;
}

export class AuditEntryDto {
  /** @example 512 */
  id: number;
  /** @example '2026-11-21T01:02:03.456Z' */
  at: string;
  actor: AuditActorDto;
  /** @example 'shop.updated' */
  @ApiEnum('AuditAction', ACTIONS)
  action: AuditAction;
  object: AuditObjectDto;
  /** The names of the fields that got a new value, never the values. @example ['name', 'provider_credentials'] */
  fields: string[];
  /** Further details of the change, such as the number of a flow's version or the time range of a replay.
   * @example {} */
  details: Record<string, unknown>;
  /** The address of the request's sender; `null` if there was none. @example '203.0.113.7' */
  address: string | null;
  /** The `X-Request-Id` of the request; `null` if there was none. @example '0b5f5c1e-6d5e-4f6e-9d53-0b8a0e0f2a11' */
  request_id: string | null;

  static from(row: Matching<AuditRow>, names: Names): AuditEntryDto {
    return {
      id: row.id,
      at: row.at.toISOString(),
      actor: { type: row.actor, client_id: row.client_id, name: names.get(row.client_id ?? '') ?? null },
      action: row.action,
      object: { type: row.object_type, id: row.object_id },
      fields: row.fields,
      details: row.details,
      address: row.address,
      request_id: row.request_id,
    };
  }
}
