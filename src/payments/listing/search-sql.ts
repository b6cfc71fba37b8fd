// SQL that finds payments by the merchant's own words. Its parameters are SQL expressions.

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
