/** Runs a calculation that yields for others to its end, all at once. */
export function resultOf<T>(steps: Iterator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
