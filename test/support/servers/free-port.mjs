import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below what the system gives to whoever asks for any port: from there it might be given to another test before it is used,
 * or while its server is away.
 */
const FIRST_PORT = 20_000;
/** A range for each of Jest's workers, and one for whoever else starts servers. */
const PORTS_EACH = 1_000;
const RANGES = 12;

const range = Number(process.env.JEST_WORKER_ID ?? 0) % RANGES;
/** Several runs may share the machine. */
let next = randomInt(PORTS_EACH);

/** A port of the loopback interface that nobody listens on now, and that this process was not given before. */
export async function freePort() {
  for (let tried = 0; tried < PORTS_EACH; tried++) {
    const port = FIRST_PORT + range * PORTS_EACH + (next++ % PORTS_EACH);
    if (await isFree(port)) return port;
  }
  throw new Error('no port is free');
}

const isFree = (port) =>
  new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
