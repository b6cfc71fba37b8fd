import 'reflect-metadata';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Controller, HttpCode, Module, Post, Req, Res } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { describe, expect, it, jest } from '@jest/globals';
import { fastify } from 'fastify';
import { rememberInMemory } from './duplicates.js';
import { webhooks as expressWebhooks } from './express.js';
import { webhooks as fastifyWebhooks } from './fastify.js';
import { webhooks as fetchWebhooks } from './fetch.js';
import { webhooks as nestWebhooks } from './nestjs.js';
import { createReceiver, type ReceiverOptions } from './receiver.js';

const vector = JSON.parse(readFileSync(new URL('../../vectors/genuine.json', import.meta.url), 'utf8')) as {
  body: string;
  headers: Record<string, string>;
  secrets: string[];
  now: number;
};

type Post = (body: string, headers?: Record<string, string>) => Promise<Response>;

interface Running {
  post: Post;
  stop(): Promise<unknown>;
}

const poster =
  (url: string): Post =>
  (body, headers = vector.headers) =>
    fetch(url, { method: 'POST', body, headers });

async function startNode(options: ReceiverOptions): Promise<Running> {
  const server = createServer(expressWebhooks(options)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = (): Promise<unknown> => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { post: poster(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), stop };
}

async function startFastify(options: ReceiverOptions): Promise<Running> {
  const app = fastify();
  await app.register(fastifyWebhooks, { path: '/webhooks', ...options });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { post: poster(`${url}/webhooks`), stop: () => app.close() };
}

function startFetch(options: ReceiverOptions): Promise<Running> {
  const receive = fetchWebhooks(options);
  const post: Post = (body, headers = vector.headers) =>
    receive(new Request('http://merchant.example/', { method: 'POST', body, headers })).catch(
      () => new Response(null, { status: 500 }), // as every server of fetch handlers does
    );
  return Promise.resolve({ post, stop: () => Promise.resolve() });
}

async function startNest(options: ReceiverOptions): Promise<Running> {
  @Controller('webhooks')
  class WebhooksController {
    private readonly receive = nestWebhooks(options);

    @Post()
    @HttpCode(204)
    webhook(
      @Req() request: Parameters<typeof this.receive>[0],
      @Res({ passthrough: true }) reply: Parameters<typeof this.receive>[1],
    ): Promise<void> {
      return this.receive(request, reply);
    }
  }
  @Module({ controllers: [WebhooksController] })
  class AppModule {}
  const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter(), {
    rawBody: true,
    logger: false,
  });
  await app.listen(0, '127.0.0.1');
  return { post: poster(`${await app.getUrl()}/webhooks`), stop: () => app.close() };
}

const adapters = [
  { name: 'node:http and Express', start: startNode },
  { name: 'Fastify', start: startFastify },
  { name: 'fetch', start: startFetch },
  { name: 'Nest', start: startNest },
];

describe.each(adapters)('the adapter of $name', ({ start }) => {
  const withReceiver = async (
    options: Partial<ReceiverOptions>,
    use: (post: Post, handle: jest.Mock<(...args: Parameters<ReceiverOptions['handle']>) => unknown>) => Promise<void>,
  ): Promise<void> => {
    const handle = jest.fn<(...args: Parameters<ReceiverOptions['handle']>) => unknown>();
    const running = await start({ secrets: vector.secrets, now: () => vector.now * 1_000, handle, ...options });
    try {
      await use(running.post, handle);
    } finally {
      await running.stop();
    }
  };

  it('passes a genuine event to the handler and acknowledges it', () =>
    withReceiver({}, async (post, handle) => {
      expect((await post(vector.body)).status).toBe(204);
      expect(handle.mock.calls).toEqual([[JSON.parse(vector.body), { id: vector.headers['webhook-id'] }]]);
    }));

  it('refuses other requests and reports why', async () => {
    const onRefused = jest.fn<NonNullable<ReceiverOptions['onRefused']>>();
    await withReceiver({ onRefused }, async (post, handle) => {
      expect((await post(vector.body.replace('49.9', '99.9'))).status).toBe(401);
      expect((await post(vector.body, { 'content-type': 'application/json' })).status).toBe(401);
      expect(handle).not.toHaveBeenCalled();
    });
    expect(onRefused.mock.calls.map(([error]) => error.code)).toEqual(['wrong_secret', 'missing_header']);
  });

  it('acknowledges a duplicate with 208', () =>
    withReceiver({ duplicates: rememberInMemory() }, async (post, handle) => {
      expect((await post(vector.body)).status).toBe(204);
      expect((await post(vector.body)).status).toBe(208);
      expect(handle).toHaveBeenCalledTimes(1);
    }));

  it('answers 500 when the handler fails, and handles the next attempt', () =>
    withReceiver({ duplicates: rememberInMemory() }, async (post, handle) => {
      handle.mockImplementationOnce(() => Promise.reject(new Error('the database is down')));
      expect((await post(vector.body)).status).toBe(500);
      expect((await post(vector.body)).status).toBe(204);
    }));

  it('handles only one of two concurrent attempts', () =>
    withReceiver({ duplicates: rememberInMemory() }, async (post, handle) => {
      let finish = (): void => undefined;
      handle.mockImplementation(() => new Promise<void>((resolve) => (finish = resolve)));
      const first = post(vector.body);
      for (let tries = 0; tries < 100_000 && handle.mock.calls.length === 0; tries++) await new Promise(setImmediate);
      const second = post(vector.body);
      finish();
      expect((await Promise.all([first, second])).map(({ status }) => status)).toEqual([204, 208]);
      expect(handle).toHaveBeenCalledTimes(1);
    }));
});

describe('the limit of bodies', () => {
  it.each(adapters.filter(({ name }) => name !== 'Nest'))('applies in the adapter of $name', async ({ start }) => {
    const running = await start({ secrets: vector.secrets, handle: () => undefined, maxBodyBytes: 1_000 });
    expect((await running.post('x'.repeat(1_001))).status).toBe(413);
    await running.stop();
  });
});

describe('the adapter of Express behind a body parser', () => {
  const answer = async (request: object): Promise<number> => {
    const handle = expressWebhooks({ secrets: vector.secrets, now: () => vector.now * 1_000, handle: () => undefined });
    return new Promise((resolve) => {
      handle({ headers: vector.headers, ...request }, { writeHead: resolve, end: () => undefined });
    });
  };

  it('uses the bytes from express.raw()', async () => {
    expect(await answer({ body: Buffer.from(vector.body), readableEnded: true })).toBe(204);
  });

  it('uses the bytes that the host keeps in addition to the parsed body', async () => {
    const body = JSON.parse(vector.body) as object;
    expect(await answer({ body, rawBody: Buffer.from(vector.body), readableEnded: true })).toBe(204);
  });

  it('refuses the parsed body from express.json()', async () => {
    expect(await answer({ body: JSON.parse(vector.body) as object, readableEnded: true })).toBe(401);
  });
});

describe('createReceiver', () => {
  const secretOf = (fill: number): string => `whsec_${Buffer.alloc(32, fill).toString('base64')}`;
  const signed = (shopId: number, id: string, endpointId?: number, fields: object = {}) => {
    const body = JSON.stringify({ event: 'payment.status_changed', shop: { id: shopId }, ...fields });
    const timestamp = Math.floor(Date.now() / 1_000);
    const key = Buffer.alloc(32, endpointId ?? shopId);
    const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    const headers: Record<string, string> = {
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-shop-id': String(shopId),
      ...(endpointId !== undefined && { 'webhook-endpoint-id': String(endpointId) }),
      'webhook-signature': `v1,${mac}`,
    };
    return [body, headers] as const;
  };

  it.each<[string, ReceiverOptions['secrets']]>([
    ['a lookup', (shopId) => (shopId < 3 ? secretOf(shopId) : undefined)],
    ['a list', [secretOf(1), secretOf(2)]],
  ])('handles the same id once for each shop, with secrets from %s', async (_, secrets) => {
    const handle = jest.fn<ReceiverOptions['handle']>();
    const receive = createReceiver({ secrets, duplicates: rememberInMemory(), handle });
    const statuses: number[] = [];
    for (const shopId of [1, 2, 1, 2]) statuses.push((await receive(...signed(shopId, 'whd_x'))).status);
    expect(statuses).toEqual([204, 204, 208, 208]);
    expect(handle.mock.calls.map(([event]) => event['shop' as never])).toEqual([{ id: 1 }, { id: 2 }]);
  });

  it('handles the same id once for each endpoint', async () => {
    const handle = jest.fn<ReceiverOptions['handle']>();
    const secrets = { endpoint: secretOf, shop: secretOf };
    const receive = createReceiver({ secrets, duplicates: rememberInMemory(), handle });
    const statuses: number[] = [];
    for (const endpointId of [2, 3, 2]) statuses.push((await receive(...signed(1, 'whd_x', endpointId))).status);
    statuses.push((await receive(...signed(1, 'whd_x'))).status);
    expect(statuses).toEqual([204, 204, 208, 204]);
  });

  describe('of the changes of a payment', () => {
    const FIELDS = { payment: { id: 4, status: 'completed' }, timestamp: '2026-11-21T23:42:03.000Z' };
    const statusesOf = async (...requests: (readonly [string, Record<string, string>])[]): Promise<number[]> => {
      const secrets = (shopId: number, endpointId?: number) => secretOf(endpointId ?? shopId);
      const receive = createReceiver({ secrets, duplicates: rememberInMemory(), handle: () => undefined });
      const statuses: number[] = [];
      for (const request of requests) statuses.push((await receive(...request)).status);
      return statuses;
    };
    const change = (id: string, endpointId?: number, fields: object = FIELDS, shopId = 1) =>
      signed(shopId, id, endpointId, fields);

    it('handles one once, from a payment address and from standing endpoints', async () => {
      expect(await statusesOf(change('a'), change('b', 2), change('c', 3), change('a'))).toEqual([204, 208, 208, 208]);
    });

    it('handles one once without a duplicate while the first is being handled', async () => {
      const handle = jest.fn<ReceiverOptions['handle']>();
      const receive = createReceiver({ secrets: secretOf, duplicates: rememberInMemory(), handle });
      const answers = await Promise.all(['a', 'b'].map((id) => receive(...change(id))));
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 208]);
      expect(handle).toHaveBeenCalledTimes(1);
    });

    it.each<[string, object, number]>([
      ['payment', { ...FIELDS, payment: { id: 5, status: 'completed' } }, 1],
      ['status', { ...FIELDS, payment: { id: 4, status: 'refunded' } }, 1],
      ['timestamp', { ...FIELDS, timestamp: '2026-11-21T23:42:04.000Z' }, 1],
      ['shop', FIELDS, 2],
      ['sample', { ...FIELDS, test: true }, 1],
    ])('handles one with another %s', async (_, fields, shopId) => {
      expect(await statusesOf(change('a'), change('b', undefined, fields, shopId))).toEqual([204, 204]);
    });
  });

  it('handles concurrent events of two shops with the same id', async () => {
    const handle = jest.fn<ReceiverOptions['handle']>();
    const receive = createReceiver({ secrets: secretOf, duplicates: rememberInMemory(), handle });
    const answers = await Promise.all([1, 2].map((shopId) => receive(...signed(shopId, 'whd_x'))));
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
  });

  it('handles every event whose id is empty', async () => {
    const handle = jest.fn<ReceiverOptions['handle']>();
    const options = { secrets: vector.secrets, scheme: 'signature' as const, handle, duplicates: rememberInMemory() };
    const receive = createReceiver(options);
    const body = JSON.stringify({ event: 'dispute.opened', shop_id: 7 });
    const Signature = createHmac('sha256', vector.secrets[0]!).update(body).digest('hex');
    for (const time of [1, 2]) {
      await receive(body, { Signature, 'webhook-id': '' });
      expect(handle).toHaveBeenCalledTimes(time);
    }
  });

  it.each<[string, Partial<ReceiverOptions>]>([
    ['toleranceSeconds', { toleranceSeconds: NaN }],
    ['maxBodyBytes', { maxBodyBytes: NaN }],
    ['maxBodyBytes', { maxBodyBytes: Infinity }],
    ['maxBodyBytes', { maxBodyBytes: 0 }],
    ['the secret', { secrets: '' }],
    ['the secret', { secrets: undefined }],
    ['secret 2 of 2', { secrets: [secretOf(1), 'whsec_'] }],
  ])('refuses options that would accept everything: %s', (name, options) => {
    const make = () => createReceiver({ secrets: secretOf(1), handle: () => undefined, ...options });
    expect(make).toThrow(new RegExp(`^${name}\\b`));
  });
});

describe('rememberInMemory', () => {
  it.each([NaN, 0, -1, 1.5, Infinity])('refuses %p as the number of keys', (max) => {
    expect(() => rememberInMemory(max)).toThrow(TypeError);
  });

  it('forgets the oldest', async () => {
    const duplicates = rememberInMemory(2);
    for (const id of ['one', 'two', 'three']) await duplicates.remember(id);
    expect(['one', 'two', 'three'].map((id) => duplicates.seen(id))).toEqual([false, true, true]);
  });
});
