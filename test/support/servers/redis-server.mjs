import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.mjs';
import { ensureProgram } from './installed-program.mjs';

const START_TIMEOUT_MS = 60_000;

/** Ensures that `redis-server` is installed: installs it as root; otherwise throws one line that says what to do. */
export const ensureRedisInstalled = () =>
  ensureProgram({
    programs: ['redis-server'],
    packages: { 'apt-get': 'redis-server', apk: 'redis' },
    needs: 'the tests need Redis',
    otherwise: ' or set REDIS_URL',
  });

/** Stores nothing on disk. */
const WITHOUT_PERSISTENCE = ['--save', '', '--appendonly', 'no'];

/**
 * Starts a Redis, by default without persistence; `args` may change this. With `configFile` the file decides: a
 * sentinel. `port` 0: a free one. Resolves to { child, port, url } when it answers PING, which may be a request for a
 * password.
 */
export async function startRedisServer(folder, port = 0, { configFile, args = [] } = {}) {
  const first = configFile === undefined ? [] : [configFile];
  const last = [...(configFile === undefined ? WITHOUT_PERSISTENCE : []), ...args];
  for (let attempt = 1; ; attempt++) {
    const chosen = port || (await freePort());
    const where = ['--port', String(chosen), '--bind', '127.0.0.1', '--dir', folder];
    const child = spawn('redis-server', [...first, ...where, ...last], { stdio: 'ignore' });
    child.on('error', () => undefined);
    if (await answers(child, chosen)) return { child, port: chosen, url: `redis://127.0.0.1:${chosen}` };
    child.kill('SIGKILL');
    // another process took the port: tries another one
    if (port || attempt === 3) throw new Error(`redis-server does not start on port ${chosen}`);
  }
}

async function answers(child, port) {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline && child.exitCode === null && child.pid !== undefined) {
    if (await ping(port)) return child.exitCode === null;
    await delay(20);
  }
  return false;
}

const ping = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.setTimeout(1_000, () => socket.destroy());
    socket.once('data', (data) => {
      resolve(/^(\+PONG|-NOAUTH)/.test(data.toString()));
      socket.destroy();
    });
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
