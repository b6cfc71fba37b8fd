import { Injectable } from '@nestjs/common';
import type { Transaction } from '../platform/database/database.js';
import { AUDIT_ACTIONS, type AuditEntry } from './audit-entry.js';
import { INSERT_ENTRY } from './audit.queries.js';
import type { AuditContext } from './audit-context.js';

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
