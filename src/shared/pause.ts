/** Not of `node:timers/promises`: the exploration replaces the global timers by a virtual clock. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
