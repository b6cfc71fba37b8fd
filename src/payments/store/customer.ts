import type { Statement, Transaction } from '../../platform/database/database.js';
import { type DueSubject, setDueWorkFrom } from '../../platform/due-work/due-work-sql.js';
import { CUSTOMER_FIELDS, type CustomerField } from '../../webhooks/outbox/webhook-body.js';
import type { CustomerRow, StoredField } from '../money/state/payment.js';

export type NewCustomer = Partial<Record<CustomerField, string>>;

/** Stored columns. `reference` is the merchant's own id, which is not part of webhooks. */
export const CUSTOMER_COLUMNS: readonly StoredField[] = ['reference', ...CUSTOMER_FIELDS];

/** The customer with the fields that are known. */
export type Customer = { id: number } & NewCustomer;

/** The customer as the API returns it, with the merchant's own id. */
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
 * How long a transaction that read the customer before the erasure may still write these values. The erasure is
 * repeated after this time.
 */
export const ERASURE_REPEAT_MS = 60_000;

export const ERASURE_KIND = 'erasure';
/** The erasure of a customer: work that remains due until no data is left. */
export const ERASURE_WORK = (id: string): DueSubject => ({ kind: ERASURE_KIND, id });

/**
 * Repeats the erasures of the customers of `relation`, of which those count that were erased. In the order of their ids, so
 * that two transactions do not wait for each other.
 */
export const repeatErasuresOf = (relation: string, inMs: string): string =>
  setDueWorkFrom(
    `(SELECT k.id FROM customers k WHERE k.id = ANY (ARRAY(${relation})) AND k.erased_at IS NOT NULL ORDER BY k.id) erased`,
    ERASURE_WORK('id'),
    `now() + ${inMs} * interval '1 ms'`,
  );

/** Schedules another erasure: $1 customer, $2 in how many ms. Changes nothing unless the customer was erased. */
const RESCHEDULE_ERASURE: Statement = {
  name: 'erasure.reschedule',
  text: repeatErasuresOf('SELECT $1::bigint', '$2'),
};

/**
 * Repeats the erasure later if the customer was erased, because the caller's transaction stores new data about them.
 */
export async function rescheduleErasure(
  transaction: Transaction,
  customer: Pick<CustomerRow, 'id' | 'erased_at'> | null,
): Promise<void> {
  if (customer && customer.erased_at !== null) {
    await transaction.query(RESCHEDULE_ERASURE, [customer.id, ERASURE_REPEAT_MS]);
  }
}
