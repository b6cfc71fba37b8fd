/**
 * A scenario whose steps continue where the one before ended. It is one test, because tests run in any order; a failure
 * names its step.
 */
export class Story {
  private readonly steps: [name: string, run: () => Promise<void> | void][] = [];

  step(name: string, run: () => Promise<void> | void): void {
    this.steps.push([name, run]);
  }

  async run(): Promise<void> {
    for (const [name, run] of this.steps) {
      try {
        await run();
      } catch (cause) {
        throw new Error(`${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
      }
    }
  }
}
