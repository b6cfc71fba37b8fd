import { Injectable, Module } from '@nestjs/common';
import { type Transaction, Database } from '../platform/database/database.js';
import {
  AUDIT_ACTIONS,
  type AuditEntry,
  INSERT_ENTRY,
  type AuditFilter,
  type AuditRow,
  listEntries,
} from './audit.queries.js';
import type { AuditContext } from './audit-context.js';
import { type Page, type PageRequest, toPage } from '../shared/cursor.js';

/** Writes down who did what. Append-only: the database itself refuses to change or delete an entry. */
@Injectable()
export class AuditLogService {
  /** In the transaction of the change: no change without its entry, and no entry without its change. */
  async record(transaction: Transaction, origin: AuditContext, entry: AuditEntry): Promise<void> {
    await transaction.query(INSERT_ENTRY, [
      entry.merchantId,
      origin.actor,
      origin.clientId,
      entry.action,
      AUDIT_ACTIONS[entry.action],
      String(entry.objectId),
      entry.fields ?? [],
      JSON.stringify(entry.details ?? {}),
      origin.address,
      origin.requestId,
    ]);
  }
}

@Injectable()
export class AuditTrailService {
  constructor(private readonly database: Database) {}

  /** A merchant's entries, newest first. */
  async list(merchantId: number, filter: AuditFilter, { limit, ...page }: PageRequest): Promise<Page<AuditRow>> {
    const [statement, values] = listEntries(merchantId, filter, { ...page, limit: limit + 1 });
    return toPage(await this.database.query<AuditRow>(statement, values), limit);
  }
}

/** For the features whose changes are audited. */
@Module({ providers: [AuditLogService], exports: [AuditLogService] })
export class AuditModule {}
