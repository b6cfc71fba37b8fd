/** The kinds of entries. Entries with the same time are in this order: a cause before its effect. */
export const KINDS = [
  'payment',
  'settlement',
  'refund',
  'operation',
  'attempt',
  'notification',
  'dispute',
  'status',
  'delivery',
] as const;
export type EntryKind = (typeof KINDS)[number];

export interface Entry {
  key: string;
  at: string;
  kind: EntryKind;
  title: string;
  /** The status, as named in the API. */
  status?: string;
  meaning: string;
  /** Names and values of further details. */
  facts: [name: string, value: string | number][];
  /** The page of the object. */
  to?: string;
}

/** The facts that have a value. */
export const known = (facts: [string, string | number | null | undefined][]): Entry['facts'] =>
  facts.filter(
    (fact): fact is [string, string | number] => fact[1] !== null && fact[1] !== undefined && fact[1] !== '',
  );
