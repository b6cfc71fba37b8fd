import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below what systems give to outgoing connections (Linux: from 32768): such a port stays ours while nobody listens on it. */
const LOWEST = 12_000;
const HIGHEST = 30_000;
const ATTEMPTS = 50;

/** A port that is free now and can be listened on again and again. */
export async function stablePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(LOWEST, HIGHEST);
    const probe = createServer().listen(port, '127.0.0.1');
    try {
      await once(probe, 'listening');
    } catch {
      continue; // taken
    }
    probe.close();
    await once(probe, 'close');
    return port;
  }
  throw new Error(`no free port between ${LOWEST} and ${HIGHEST}`);
}

/** `count` different ones. */
export async function stablePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await stablePort());
  return [...ports];
}
