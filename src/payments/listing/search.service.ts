import { Injectable } from '@nestjs/common';
import { ActorNames, type Names } from '../../audit/actor-names.service.js';
import { ReplicaReads } from '../../platform/database/replica-reads.js';
import type { PaymentRow } from '../money/state/payment.js';
import type { RefundRow } from '../money/state/refund.js';
import type { StoredCustomerRow } from '../customers/customer-lists.queries.js';
import { SEARCH_CUSTOMERS, SEARCH_PAYMENTS, SEARCH_REFUNDS } from './search.queries.js';

const MAX_MATCHES = 5;

/** The best match first. */
export interface Matches {
  payments: PaymentRow[];
  customers: StoredCustomerRow[];
  refunds: RefundRow[];
  /** The names of those who asked for the refunds. */
  names: Names;
}

/** Finds a merchant's objects by a value that a person has copied from somewhere. */
@Injectable()
export class Search {
  constructor(
    private readonly reads: ReplicaReads,
    private readonly actors: ActorNames,
  ) {}

  /** At most `MAX_MATCHES` of each kind. Objects of other merchants never match. */
  async find(merchantId: number, text: string): Promise<Matches> {
    const values = [merchantId, text, idOf(text), MAX_MATCHES];
    const [payments, customers, refunds] = await Promise.all([
      this.reads.query<PaymentRow>(SEARCH_PAYMENTS, values),
      this.reads.query<StoredCustomerRow>(SEARCH_CUSTOMERS, values),
      this.reads.query<RefundRow>(SEARCH_REFUNDS, values),
    ]);
    const names = await this.actors.of(
      merchantId,
      refunds.map(({ client_id: id }) => id),
    );
    return { payments, customers, refunds, names };
  }
}

/** The text as an id of ours; `null`: it is none. */
function idOf(text: string): number | null {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(id) ? id : null;
}
