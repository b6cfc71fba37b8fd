import { Injectable, Module } from '@nestjs/common';
import { type Transaction, Database } from '../platform/database/database.js';
import { ReplicaReads } from '../platform/database/replica-reads.js';
import {
  AUDIT_ACTIONS,
  type AuditEntry,
  INSERT_ENTRY,
  type AuditFilter,
  type AuditRow,
  FIND_ENTRY,
  walkEntries,
} from './audit.queries.js';
import { ActorNames } from './actor-names.service.js';
import type { AuditContext } from './audit-context.js';
import { badCursor, type Page, type PageRequest } from '../shared/cursor.js';
import { type Matching, walkedPage } from '../platform/http/walked-page.js';

export type { AuditAction } from './audit.queries.js';

/** Records changes with their actors. Append-only: the database refuses to change an entry, and to delete it within a year. */
@Injectable()
export class AuditLogService {
  /** Records in the transaction of the change: no change without its entry, and no entry without its change. */
  async record(transaction: Transaction, context: AuditContext, entry: AuditEntry): Promise<void> {
    await transaction.query(INSERT_ENTRY, [
      entry.merchantId,
      context.actor,
      context.clientId,
      entry.action,
      AUDIT_ACTIONS[entry.action],
      String(entry.objectId),
      entry.fields ?? [],
      JSON.stringify(entry.details ?? {}),
      context.address,
      context.requestId,
    ]);
  }
}

@Injectable()
export class AuditTrailService {
  constructor(
    private readonly database: Database,
    private readonly reads: ReplicaReads,
  ) {}

  /**
   * A merchant's entries, newest first. Same contract as {@link walkedPage}. Throws `malformed_request` for a cursor that
   * is not from one of the merchant's pages.
   */
  async list(merchantId: number, filter: AuditFilter, request: PageRequest): Promise<Page<Matching<AuditRow>>> {
    const page = await walkedPage<AuditRow>(request, (beforeId, count, limit) =>
      this.reads.query<AuditRow>(...walkEntries(merchantId, filter, { limit, beforeId, count })),
    );
    if (page.items.length === 0 && request.beforeId !== undefined) await this.requireOwn(merchantId, request.beforeId);
    return page;
  }

  /** A valid cursor names an entry of the merchant. */
  private async requireOwn(merchantId: number, id: number): Promise<void> {
    const [own] = await this.database.query(FIND_ENTRY, [merchantId, id]);
    if (!own) throw badCursor();
  }
}

/** For features whose changes are audited. */
@Module({ providers: [AuditLogService, ActorNames], exports: [AuditLogService, ActorNames] })
export class AuditModule {}
