import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database.js';
import { badCursor, type Page, type PageRequest, toPage } from '../shared/cursor.js';
import { type AuditFilter, type AuditRow, FIND_ENTRY, listEntries } from './audit.queries.js';

@Injectable()
export class AuditTrailService {
  constructor(private readonly database: Database) {}

  /** A merchant's entries, newest first. Throws `malformed_request` for a cursor that none of its pages gave. */
  async list(merchantId: number, filter: AuditFilter, { limit, ...page }: PageRequest): Promise<Page<AuditRow>> {
    const [statement, values] = listEntries(merchantId, filter, { ...page, limit: limit + 1 });
    const rows = await this.database.query<AuditRow>(statement, values);
    if (rows.length === 0 && page.beforeId !== undefined) await this.requireOwn(merchantId, page.beforeId);
    return toPage(rows, limit);
  }

  /** A cursor names an entry of the merchant's own: there is no next page behind anything else. */
  private async requireOwn(merchantId: number, id: number): Promise<void> {
    const [own] = await this.database.query(FIND_ENTRY, [merchantId, id]);
    if (!own) throw badCursor();
  }
}
