/**
 * Returns a function that calls `work` at once, and then at most every `pauseMs`. Calls during the pause become one call at
 * its end, so that the last one is never lost. `stop` drops that call.
 */
export function throttled(work: () => void, pauseMs: number): { call: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWanted = false;
  const endPause = (): void => {
    timer = undefined;
    if (isWanted) call();
  };
  const call = (): void => {
    isWanted = timer !== undefined;
    if (isWanted) return;
    timer = setTimeout(endPause, pauseMs);
    work();
  };
  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  return { call, stop };
}
