import { CUSTOMER_FIELDS, type CustomerField } from '../../webhooks/outbox/webhook-body.js';

export type NewCustomer = Partial<Record<CustomerField, string>>;

/** A customer as stored: fields that were not given are `null`, and all of them once it was erased. */
export type CustomerRow = { id: number; erased_at: Date | string | null } & Record<CustomerField, string | null>;

/** The customer with the fields that are known. */
export type Customer = { id: number } & NewCustomer;

export function toCustomer(row: CustomerRow): Customer {
  const customer: Customer = { id: row.id };
  for (const field of CUSTOMER_FIELDS) {
    const value = row[field];
    if (value !== null) customer[field] = value;
  }
  return customer;
}
