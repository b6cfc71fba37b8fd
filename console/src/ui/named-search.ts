/** The search of a list by name, as it stands in the address. */
export interface NamedSearch {
  name?: string;
}

/** Of an address. */
export const validNamedSearch = ({ name }: Record<string, unknown>): NamedSearch => {
  const text = typeof name === 'string' || typeof name === 'number' ? String(name).trim() : '';
  return text === '' ? {} : { name: text };
};

/** For `useList`. */
export const namedQuery = ({ name }: NamedSearch): { name_contains?: string } =>
  name === undefined ? {} : { name_contains: name };
