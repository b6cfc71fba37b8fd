// SQL that finds payments and customers by the merchant's own words. Its parameters are SQL expressions.

/** A value of one top-level key of a payment's metadata. */
export interface MetadataValue {
  merchant: string;
  key: string;
  value: string;
}

/** Terms `t` of the value, also those of other values with the same hashes; use `hasValue` as well. */
export const hasTerm = ({ merchant, key, value }: MetadataValue): string =>
  `t.value_hash = ${valueHash(merchant, value)} AND t.key_hash = hashtext(${key})`;

export const valueHash = (merchant: string, value: string): string => `hashtextextended(${value}, ${merchant}::bigint)`;

/** Whether the metadata of the payment `q` has the value, compared as text. */
export const hasValue = ({ key, value }: MetadataValue): string => `q.metadata ->> ${key} = ${value}`;

/** Ignores the case of ASCII letters, regardless of the database's locale. */
const lowerCase = (email: string): string => `lower(${email} COLLATE "C")`;

const emailHash = (customer: string): string =>
  `hashtextextended(${lowerCase(`${customer}.email`)}, ${customer}.merchant_id)`;

/**
 * Whether the customer has the address. The first condition is that of the index, in the form that `listPayments`
 * explains; the last two exclude equal hashes.
 */
export const hasEmail = (customer: string, merchant: string, email: string): string =>
  `${emailHash(customer)} = ANY (ARRAY[${valueHash(merchant, lowerCase(`${email}::text`))}])
      AND ${customer}.email IS NOT NULL AND ${customer}.merchant_id + 0 = ${merchant}
      AND ${lowerCase(`${customer}.email`)} = ${lowerCase(`${email}::text`)}`;

/** Newest first, as the index has it. */
export const byEmail = (customer: string): string => `${emailHash(customer)} DESC, ${customer}.id DESC`;

/** Ids of the merchant's customers with the address, the newest ones. */
export const selectCustomersByEmail = (merchant: string, email: string, limit: number | string): string =>
  `SELECT c.id FROM customers c WHERE ${hasEmail('c', merchant, email)} ORDER BY ${byEmail('c')} LIMIT ${limit}`;
