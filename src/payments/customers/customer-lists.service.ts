import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { ReplicaReads } from '../../platform/database/replica-reads.js';
import { type Page, type PageRequest, toPage } from '../../shared/cursor.js';
import { Problem } from '../../shared/problem.js';
import {
  CUSTOMER_FILTERS,
  type CustomerFilterName,
  FIND_STORED_CUSTOMER,
  listCustomers,
  type StoredCustomerRow,
} from './customer-lists.queries.js';

/** Finds a merchant's customers. */
@Injectable()
export class CustomerLists {
  constructor(
    private readonly database: Database,
    private readonly reads: ReplicaReads,
  ) {}

  /** Newest first; an absent filter excludes nothing. Customers of other merchants never match. */
  async list(
    merchantId: number,
    filter: Partial<Record<CustomerFilterName, string | undefined>>,
    { limit, beforeId = Number.MAX_SAFE_INTEGER }: PageRequest,
  ): Promise<Page<StoredCustomerRow>> {
    const given = CUSTOMER_FILTERS.filter((name) => filter[name] !== undefined);
    const values = [merchantId, beforeId, limit + 1, ...given.map((name) => filter[name])];
    return toPage(await this.reads.query<StoredCustomerRow>(listCustomers(given), values), limit);
  }

  /** Throws `customer_not_found`. */
  async find(merchantId: number, id: number): Promise<StoredCustomerRow> {
    const [found] = await this.database.query<StoredCustomerRow>(FIND_STORED_CUSTOMER, [id, merchantId]);
    if (!found) throw new Problem('customer_not_found');
    return found;
  }
}
