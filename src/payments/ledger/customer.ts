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
