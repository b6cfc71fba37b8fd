/** Runs a calculation that yields periodically, without pauses. */
export function resultOf<T>(steps: Iterator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
