// SQL that finds customers by their address. Its parameters are SQL expressions.

/** Ignores the case of ASCII letters, regardless of the database's locale. */
const lowerCase = (email: string): string => `lower(${email} COLLATE "C")`;

const emailHash = (customer: string): string =>
  `hashtextextended(${lowerCase(`${customer}.email`)}, ${customer}.merchant_id)`;

/**
 * Whether the customer has the address. The first condition is that of the index, in the form that `listPayments`
 * explains; the last two exclude equal hashes.
 */
export const hasEmail = (customer: string, merchant: string, email: string): string =>
  `${emailHash(customer)} = ANY (ARRAY[hashtextextended(${lowerCase(`${email}::text`)}, ${merchant}::bigint)])
      AND ${customer}.email IS NOT NULL AND ${customer}.merchant_id + 0 = ${merchant}
      AND ${lowerCase(`${customer}.email`)} = ${lowerCase(`${email}::text`)}`;

/** Newest first, as the index has it. */
export const byEmail = (customer: string): string => `${emailHash(customer)} DESC, ${customer}.id DESC`;

/** Ids of the merchant's customers with the address, the newest ones. */
export const selectCustomersByEmail = (merchant: string, email: string, limit: number | string): string =>
  `SELECT c.id FROM customers c WHERE ${hasEmail('c', merchant, email)} ORDER BY ${byEmail('c')} LIMIT ${limit}`;
