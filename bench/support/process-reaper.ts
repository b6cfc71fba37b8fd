// Ends what the bench has started when the bench is gone: by Ctrl-C, by a failure, by SIGKILL. Knows processes by id
// alone. Its only input is its channel to the bench, whose end closes with the bench.
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
  // SIGQUIT is PostgreSQL's immediate shutdown, which takes its children along
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
    alive.delete(pid); // has ended by itself
  }
}
