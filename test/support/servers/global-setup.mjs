import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const keeper = Symbol.for('payment-orchestrator.test-servers');

/**
 * Starts one PostgreSQL with a migrated template database and one Redis for the whole run. Test processes find them
 * through TEST_SERVERS. Jest calls this for every project that names it; only the first call starts the servers.
 */
export default async function globalSetup() {
  if (globalThis[keeper]) return;
  const child = spawn(process.execPath, [fileURLToPath(new URL('server-keeper.mjs', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // Ctrl-C reaches the whole process group; the keeper must end cleanly at the end of its stdin instead
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
  return { error: 'the process that starts them ended without a message' };
}

/** Jest prints the stack, which would hide the one important line. */
const withoutStack = (error) => Object.assign(error, { stack: '' });
