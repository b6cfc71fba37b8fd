export type FormValue = string | { [name: string]: FormValue };

/** Parses `application/x-www-form-urlencoded` with Stripe's nesting: `metadata[reference]=…`, `expand[0]=…`. */
export function parseForm(text: string): Record<string, FormValue> {
  const form: Record<string, FormValue> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/[[\]]+/).filter((part) => part !== '');
    const last = path.pop();
    let place = form;
    for (const part of path) {
      const inner = place[part] ?? {};
      if (typeof inner === 'string') throw new Error(`${name} is both a value and an object`);
      place = place[part] = inner;
    }
    if (last !== undefined) place[last] = value;
  }
  return form;
}

/** A text value; `''` for none. */
export const textOf = (value: FormValue | undefined): string => (typeof value === 'string' ? value : '');
