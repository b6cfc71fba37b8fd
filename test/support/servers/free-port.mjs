import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports that the system assigns: from there a port might be assigned to another test before it is used, or
 * while its server is down.
 */
const FIRST_PORT = 20_000;
/** A range for each of Jest's workers, and one for other processes that start servers. */
const PORTS_EACH = 1_000;
const RANGES = 12;

const range = Number(process.env.JEST_WORKER_ID ?? 0) % RANGES;
/** Random, because several runs may share the machine. */
let next = randomInt(PORTS_EACH);

/** A port of the loopback interface that is free, and that this process has not used before. */
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
