import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports of outgoing connections (Linux: from 32768), so that no other process takes a port while nothing
 * listens on it.
 */
const LOWEST = 12_000;
const HIGHEST = 30_000;
const ATTEMPTS = 50;

/** A port that is free now and can be used repeatedly. */
export async function stablePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(LOWEST, HIGHEST);
    const probe = createServer().listen(port, '127.0.0.1');
    try {
      await once(probe, 'listening');
    } catch {
      continue; // in use
    }
    probe.close();
    await once(probe, 'close');
    return port;
  }
  throw new Error(`no free port between ${LOWEST} and ${HIGHEST}`);
}

/** `count` different ports. */
export async function stablePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await stablePort());
  return [...ports];
}
