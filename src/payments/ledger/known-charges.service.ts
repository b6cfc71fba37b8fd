import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../platform/database/database.js';
import type { PaymentStatus } from '../money/state/payment-state.js';
import { ARCHIVED_CHARGES_OF, IS_RETURNED } from './archived-charge.queries.js';
import { NEXT_TRY_AT } from './operation.queries.js';

/** Our record of a reference. */
export interface KnownCharge {
  reference: string;
  payment_id: number;
  attempt: number;
  status: PaymentStatus;
  /** The payment is still at this attempt. */
  is_current: boolean;
  /** An operation of the payment is open, and recovery still asks about it. */
  is_open: boolean;
  /** Lost disputes, with refunds, have given all money of the attempt back to the payer. */
  is_returned: boolean;
}

/** $1 references. */
const FIND_CHARGES: Statement = {
  name: 'payments.find_charges',
  text: `SELECT a.reference, a.payment_id, a.number AS attempt, p.status, a.number = p.attempt AS is_current,
      EXISTS (SELECT FROM provider_operations o WHERE o.payment_id = p.id
        AND o.state IN ('open', 'pending', 'unknown') AND ${NEXT_TRY_AT} IS NOT NULL) AS is_open,
      ${IS_RETURNED} AS is_returned
    FROM payment_attempts a JOIN payments p ON p.id = a.payment_id
    WHERE a.reference = ANY ($1::text[])
    UNION ALL
    ${ARCHIVED_CHARGES_OF}`,
};

/** Charges at providers as this database knows them: all that a reconciliation may know of payments. */
@Injectable()
export class KnownCharges {
  constructor(private readonly database: Database) {}

  /** Our records of the references, of archived payments too: a charge without a record is given back. */
  find(references: string[]): Promise<KnownCharge[]> {
    return this.database.query<KnownCharge>(FIND_CHARGES, [references]);
  }
}
