import type { Statement, Transaction } from '../../platform/database/database.js';
import { CUSTOMER_FIELDS, type CustomerField } from '../../webhooks/outbox/webhook-body.js';

export type NewCustomer = Partial<Record<CustomerField, string>>;

/** A customer as stored: fields that were not given are `null`, and all of them once it was erased. */
export type CustomerRow = { id: number; erased_at: Date | string | null } & Record<StoredField, string | null>;

type StoredField = CustomerField | 'reference';

/** `reference`: the merchant's own id, which is not in webhooks. */
export const CUSTOMER_COLUMNS: readonly StoredField[] = ['reference', ...CUSTOMER_FIELDS];

/** The customer with the fields that are known. */
export type Customer = { id: number } & NewCustomer;

/** As the API answers it: with the merchant's own id. */
export const toCustomerAnswer = (row: CustomerRow): Customer & { reference?: string } => ({
  ...toCustomer(row),
  ...(row.reference !== null && { reference: row.reference }),
});

export function toCustomer(row: CustomerRow): Customer {
  const customer: Customer = { id: row.id };
  for (const field of CUSTOMER_FIELDS) {
    const value = row[field];
    if (value !== null) customer[field] = value;
  }
  return customer;
}

/**
 * Transactions that have read the customer before it was erased may write what they read for so long. Everything is blanked
 * once more after that.
 */
export const ERASURE_REPEAT_MS = 60_000;

/** $1 customer, $2 in how many ms. Nothing unless the customer was erased. */
const RESCHEDULE_ERASURE: Statement = {
  name: 'erasure.reschedule',
  text: `UPDATE customers SET erasure_due_at = now() + $2 * interval '1 ms' WHERE id = $1 AND erased_at IS NOT NULL`,
};

/** In a transaction that stores something new about a customer who was erased: it is to be blanked, too. */
export async function rescheduleErasure(
  transaction: Transaction,
  customer: Pick<CustomerRow, 'id' | 'erased_at'> | null,
): Promise<void> {
  if (customer && customer.erased_at !== null) {
    await transaction.query(RESCHEDULE_ERASURE, [customer.id, ERASURE_REPEAT_MS]);
  }
}
