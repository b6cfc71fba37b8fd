/** The search parameters of a list that can be searched by name. */
export interface NamedSearch {
  name?: string;
}

/** Reads the search parameters of an address. */
export const validNamedSearch = ({ name }: Record<string, unknown>): NamedSearch => {
  const text = typeof name === 'string' || typeof name === 'number' ? String(name).trim() : '';
  return text === '' ? {} : { name: text };
};

/** The query for `useList`. */
export const namedQuery = ({ name }: NamedSearch): { name_contains?: string } =>
  name === undefined ? {} : { name_contains: name };
