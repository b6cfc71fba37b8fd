// Each main calls this first: while the rest is loading, a signal ends the process at once. Without a handler the
// kernel drops signals to process 1 of a container, and the container would be killed after its grace period. This
// module imports nothing, because imports are loaded before it runs.

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

const end = (signal: NodeJS.Signals): never => process.exit(EXIT_CODES[signal as keyof typeof EXIT_CODES]);

/**
 * Until `releaseSignals` is called, SIGINT and SIGTERM end the process, with the exit code that a shell uses for them.
 */
export function endOnSignals(): void {
  for (const signal of Object.keys(EXIT_CODES)) process.on(signal, end);
}

/** Call once other handlers are installed. */
export function releaseSignals(): void {
  for (const signal of Object.keys(EXIT_CODES)) process.off(signal, end);
}
