import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const keeper = Symbol.for('payment-orchestrator.test-servers');

/**
 * Starts one PostgreSQL with a migrated template database and one Redis for the whole run. Test processes learn about
 * them from TEST_SERVERS. Jest runs this for every project that names it: the first call starts, the others find it done.
 */
export default async function globalSetup() {
  if (globalThis[keeper]) return;
  const child = spawn(process.execPath, [fileURLToPath(new URL('server-keeper.mjs', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // Ctrl-C goes to the whole process group; the keeper ends by its stdin instead, in good order
    detached: true,
  });
  globalThis[keeper] = child;
  const servers = await firstLine(child);
  if (servers.error) throw withoutStack(new Error(`test servers: ${servers.error}`));
  process.env.TEST_SERVERS = JSON.stringify(servers);
  child.unref();
  child.stdin.unref?.();
  child.stdout.unref?.();
}

async function firstLine(child) {
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line);
  return { error: 'the process that starts them ended without a word' };
}

/** Jest prints the stack, which would hide the one line that matters. */
const withoutStack = (error) => Object.assign(error, { stack: '' });
