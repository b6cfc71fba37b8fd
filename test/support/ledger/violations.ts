const SHOWN = 5;

/** Broken promises by kind; of each kind all are counted and some are shown. */
export class Violations {
  private readonly kinds = new Map<string, { count: number; examples: string[] }>();

  /** `kind` says what must not happen. */
  add(kind: string, example: string): void {
    const found = this.kinds.get(kind) ?? { count: 0, examples: [] };
    this.kinds.set(kind, found);
    found.count += 1;
    if (found.examples.length < SHOWN) found.examples.push(example);
  }

  get count(): number {
    return [...this.kinds.values()].reduce((sum, { count }) => sum + count, 0);
  }

  /** By kind. */
  counts(): Record<string, number> {
    return Object.fromEntries([...this.kinds].map(([kind, { count }]) => [kind, count]));
  }

  lines(): string[] {
    return [...this.kinds].flatMap(([kind, { count, examples }]) => [
      `✗ ${kind}: ${count}`,
      ...examples.map((example) => `    ${example.replaceAll('\n', '\n    ')}`),
    ]);
  }
}
