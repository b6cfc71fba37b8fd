import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.mjs';
import { ensureProgram } from './installed-program.mjs';

const START_TIMEOUT_MS = 60_000;

/** Makes sure that there is a `redis-server`: installs it where root may; throws one line that says what to do otherwise. */
export const ensureRedisInstalled = () =>
  ensureProgram({
    programs: ['redis-server'],
    packages: { 'apt-get': 'redis-server', apk: 'redis' },
    needs: 'the tests need Redis',
    otherwise: ' or set REDIS_URL',
  });

/** Keeps nothing on disk. */
const WITHOUT_PERSISTENCE = ['--save', '', '--appendonly', 'no'];

/**
 * Starts a Redis, without persistence but for what `args` say, or with `configFile` what that file says: a sentinel.
 * `port` 0: a free one. Resolves when it answers PING, be it by asking for a password, to { child, port, url }.
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
    // somebody took the free port: try another one
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
