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
  listEntries,
} from './audit.queries.js';
import type { AuditContext } from './audit-context.js';
import { badCursor, type Page, type PageRequest, toPage } from '../shared/cursor.js';

export type { AuditAction } from './audit.queries.js';

/** Records changes with their actors. Append-only: the database refuses to change or delete an entry. */
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
   * A merchant's entries, newest first. Throws `malformed_request` for a cursor that is not from one of the merchant's
   * pages.
   */
  async list(merchantId: number, filter: AuditFilter, { limit, ...page }: PageRequest): Promise<Page<AuditRow>> {
    const [statement, values] = listEntries(merchantId, filter, { ...page, limit: limit + 1 });
    const rows = await this.reads.query<AuditRow>(statement, values);
    if (rows.length === 0 && page.beforeId !== undefined) await this.requireOwn(merchantId, page.beforeId);
    return toPage(rows, limit);
  }

  /** A valid cursor names an entry of the merchant. */
  private async requireOwn(merchantId: number, id: number): Promise<void> {
    const [own] = await this.database.query(FIND_ENTRY, [merchantId, id]);
    if (!own) throw badCursor();
  }
}

/** For features whose changes are audited. */
@Module({ providers: [AuditLogService], exports: [AuditLogService] })
export class AuditModule {}
