// Ends what the bench has started when the bench is gone: by Ctrl-C, by a failure, by SIGKILL. Knows processes by id
// alone. Its only input is its channel to the bench, whose end closes with the bench.
import { rmSync } from 'node:fs';
import type { Mortality } from '../support/cleanup.js';

const alive = new Set<number>();
const folders = new Set<string>();

process.on('message', (news: Mortality) => {
  if ('born' in news) alive.add(news.born);
  else if ('dead' in news) alive.delete(news.dead);
  else folders.add(news.folder);
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
