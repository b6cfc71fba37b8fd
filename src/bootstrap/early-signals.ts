// The first thing that each main does: while the rest is loading, a signal ends the process at once. The kernel drops a signal
// that process 1 of a container has no handler for, and the container would be killed when its grace is over. Nothing is
// imported here that would have to be loaded before.

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

const end = (signal: NodeJS.Signals): never => process.exit(EXIT_CODES[signal as keyof typeof EXIT_CODES]);

/** Until `releaseSignals`, SIGINT and SIGTERM end the process with the exit code that a shell has for them. */
export function endOnSignals(): void {
  for (const signal of Object.keys(EXIT_CODES)) process.on(signal, end);
}

/** For who has handlers of its own by now. */
export function releaseSignals(): void {
  for (const signal of Object.keys(EXIT_CODES)) process.off(signal, end);
}
