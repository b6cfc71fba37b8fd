/**
 * A function that calls `work` at once, and then at most every `restMs`: what came meanwhile is one call at the end of the
 * rest, so that the last one is never lost. `stop` forgets it.
 */
export function throttled(work: () => void, restMs: number): { call: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWanted = false;
  const rested = (): void => {
    timer = undefined;
    if (isWanted) call();
  };
  const call = (): void => {
    isWanted = timer !== undefined;
    if (isWanted) return;
    timer = setTimeout(rested, restMs);
    work();
  };
  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  return { call, stop };
}
