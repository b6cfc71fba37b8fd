// Ends the processes of the bench when the bench is gone: after Ctrl-C, a failure or SIGKILL. It knows processes only
// by their ids. Its only input is its channel to the bench, which closes with the bench.
import { rmSync } from 'node:fs';
import type { ProcessEvent } from './cleanup.js';

const alive = new Set<number>();
const folders = new Set<string>();

process.on('message', (event: ProcessEvent) => {
  if ('started' in event) alive.add(event.started);
  else if ('exited' in event) alive.delete(event.exited);
  else folders.add(event.folder);
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

process.on('disconnect', () => {
  // SIGQUIT is PostgreSQL's immediate shutdown, which also ends its child processes
  for (const pid of alive) kill(pid, 'SIGQUIT');
  setTimeout(
    () => {
      for (const pid of alive) kill(pid, 'SIGKILL');
      for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      process.exit();
    },
    alive.size > 0 ? 1_000 : 0,
  );
});

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    alive.delete(pid); // has already ended
  }
}
