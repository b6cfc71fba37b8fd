import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database.js';
import { type Page, type PageRequest, toPage } from '../shared/cursor.js';
import { type AuditFilter, type AuditRow, listEntries } from './audit.queries.js';

@Injectable()
export class AuditTrailService {
  constructor(private readonly database: Database) {}

  /** A merchant's entries, newest first. */
  async list(merchantId: number, filter: AuditFilter, { limit, ...page }: PageRequest): Promise<Page<AuditRow>> {
    const [statement, values] = listEntries(merchantId, filter, { ...page, limit: limit + 1 });
    return toPage(await this.database.query<AuditRow>(statement, values), limit);
  }
}
