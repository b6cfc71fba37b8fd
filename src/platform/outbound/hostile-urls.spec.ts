import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BlockList, connect, createServer, type Server } from 'node:net';
import { hostileUrls, resolveHostile } from '../../../test/support/hostile/hostile-urls.js';
import { SystemClock } from '../../shared/clock.js';
import { endpointProblem } from '../addresses/endpoint.js';
import { HostResolver } from '../addresses/host-resolver.js';
import { OutboundHttp } from './outbound-http.service.js';

class HostileResolver extends HostResolver {
  override resolve(host: string): Promise<string[]> {
    return Promise.resolve(resolveHostile(host));
  }
}

const nothingAllowed = new BlockList();

describe('OutboundHttp with hostile URLs', () => {
  const config = { webhookAllowedNetworks: nothingAllowed, webhookRequireHttps: false };
  const outbound = new OutboundHttp(config, new SystemClock(), new HostileResolver());
  let canary: Server;
  let port: number;
  let hits = 0;

  beforeAll(async () => {
    canary = createServer((socket) => {
      hits += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => canary.listen(0, resolve)); // on :: and 0.0.0.0
    port = (canary.address() as { port: number }).port;
  });

  afterAll(async () => {
    outbound.onApplicationShutdown();
    await new Promise((resolve) => canary.close(resolve));
  });

  it('refuses all of them and never connects', async () => {
    const urls = hostileUrls(port);
    const before = hits;
    const wrong: string[] = [];
    for (const { url, code } of urls) {
      const result = await outbound.post({ url, body: '{}', headers: {}, timeoutMs: 2_000 });
      if (result.error !== code)
        wrong.push(`${JSON.stringify(url)}: ${result.error ?? result.statusCode}, not ${code}`);
    }
    expect(wrong).toEqual([]);
    expect(urls.length).toBeGreaterThanOrEqual(80);
    expect(hits).toBe(before);
    process.stdout.write(
      `hostile URLs tried: ${urls.length}, refused: ${urls.length - wrong.length}, canary hits: ${hits - before}\n`,
    );
  });

  it('refuses URLs at registration when this needs no resolver', () => {
    for (const { url, atConnect } of hostileUrls(port)) {
      expect([url, endpointProblem(url, nothingAllowed) === null]).toEqual([url, atConnect === true]);
    }
  });

  it('keeps credentials, query and addresses out of the messages', async () => {
    const before = hits;
    for (const { url } of hostileUrls(port)) {
      const { errorMessage } = await outbound.post({ url, body: '{}', headers: {}, timeoutMs: 2_000 });
      expect(errorMessage).not.toMatch(/secret|token|\d+\.\d+|::|\.test/);
    }
    expect(hits).toBe(before);
  });

  it('would be noticed by the canary server, which counts connections', async () => {
    const before = hits;
    await new Promise<void>((resolve) =>
      connect(port, '127.0.0.1')
        .on('error', () => undefined)
        .once('close', () => resolve()),
    );
    expect(hits).toBe(before + 1);
  });
});
