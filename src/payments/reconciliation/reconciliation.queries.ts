import type { Statement } from '../../platform/database/database.js';
import { ARCHIVED_CHARGES_OF, IS_RETURNED } from '../ledger/archived-charge.queries.js';
import { NEXT_TRY_AT } from '../ledger/operation.queries.js';
import type { PaymentStatus } from '../money/state/payment-state.js';
import { SHOPS } from '../../shared/relations.js';

export interface ShopRow {
  id: number;
  merchant_id: number;
  provider: string;
}

/** Every shop, disabled ones included: their charges count too. */
export const LIST_SHOPS: Statement = {
  name: 'reconciliation.list_shops',
  text: `SELECT id, merchant_id, provider FROM ${SHOPS} shop ORDER BY id`,
};

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

/** Our records of the references $1, of archived payments too: a charge without a record is given back. */
export const FIND_CHARGES: Statement = {
  name: 'reconciliation.find_charges',
  text: `SELECT a.reference, a.payment_id, a.number AS attempt, p.status, a.number = p.attempt AS is_current,
      EXISTS (SELECT FROM provider_operations o WHERE o.payment_id = p.id
        AND o.state IN ('open', 'pending', 'unknown') AND ${NEXT_TRY_AT} IS NOT NULL) AS is_open,
      ${IS_RETURNED} AS is_returned
    FROM payment_attempts a JOIN payments p ON p.id = a.payment_id
    WHERE a.reference = ANY ($1::text[])
    UNION ALL
    ${ARCHIVED_CHARGES_OF}`,
};
