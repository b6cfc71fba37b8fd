/** A mistake of a careless author, planted in the example connector of the kit. */
export interface Mistake {
  name: string;
  /** The situation of the suite that finds it. */
  found: string;
  patches: readonly Patch[];
}

/** In a file of the example, `from` becomes `to`; it is there once. */
type Patch = readonly [file: 'api' | 'charges' | 'connector' | 'events', from: string, to: string];

export const mistake = (name: string, found: string, ...patches: Patch[]): Mistake => ({ name, found, patches });
