import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Balancer } from '../../../bench/rehearsal/balancer.js';
import { stablePort } from '../../../bench/support/ports.js';
import { eventually } from '../../support/eventually.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function api(listener: RequestListener): Promise<{ port: number; server: Server }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => (server.closeAllConnections(), once(server.close(), 'close')));
  return { port: (server.address() as AddressInfo).port, server };
}

async function balancer(...ports: number[]): Promise<Balancer> {
  const started = await Balancer.start(await stablePort(), ports);
  closing.push(() => started.stop());
  return started;
}

const named =
  (name: string, isReady = true): RequestListener =>
  ({ url }, response) =>
    response.writeHead(url === '/health/ready' && !isReady ? 503 : 200, { connection: 'close' }).end(name);

const ask = async ({ url }: Balancer): Promise<string> => (await fetch(url)).text();

describe('the balancer in front of the APIs', () => {
  it('assigns connections to the ready APIs in turn', async () => {
    const [one, other, unready] = [await api(named('one')), await api(named('other')), await api(named('no', false))];
    const front = await balancer(one.port, other.port, unready.port);
    await eventually(async () => {
      const answers = await Promise.all(Array.from({ length: 6 }, () => ask(front)));
      return new Set(answers).size === 2 && !answers.includes('no');
    });
  });

  it('uses an API that is not ready if no API is ready', async () => {
    const { port } = await api(named('unready', false));
    await expect(ask(await balancer(port))).resolves.toBe('unready');
  });

  it('tries the next API if nothing listens', async () => {
    const { port } = await api(named('up'));
    await expect(ask(await balancer(await stablePort(), port))).resolves.toBe('up');
  });

  it('forwards a whole answer whose sender ends the connection', async () => {
    const long = 'x'.repeat(5_000_000);
    const { port } = await api((_request, response) => response.writeHead(200, { connection: 'close' }).end(long));
    expect((await ask(await balancer(port))).length).toBe(long.length);
  });

  it('ends the connection of the caller when the connection of the API breaks', async () => {
    const { port } = await api(({ url, socket }, response) =>
      url === '/health/ready' ? response.end() : socket.resetAndDestroy(),
    );
    await expect(ask(await balancer(port))).rejects.toThrow('fetch failed');
  });
});
