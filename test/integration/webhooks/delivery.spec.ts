import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { eventually } from '../../support/eventually.js';
import { type Receiver, startReceiver } from '../../support/receiver.js';
import { BACKENDS, type Engine, EngineWorld } from './engine-harness.js';

describe.each(BACKENDS)('delivery, queue in %s', (backend) => {
  let world: EngineWorld;
  let worker: Engine;
  let receiver: Receiver;

  beforeEach(async () => {
    world = await EngineWorld.create(backend);
    worker = await world.startWorker();
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await world.stop();
    await receiver.stop();
  });

  it('posts the exact body, signed both ways', async () => {
    const shop = await world.aShop(worker);
    const delivery = await world.deliveriesTo(worker, shop, `${receiver.url}/hooks?key=1`);
    const sent = delivery();
    await worker.deliver(sent);
    const [row] = await eventually(async () => {
      const rows = await world.deliveries();
      expect(rows[0]).toMatchObject({ status: 'delivered', attempts: 1, last_status_code: 200 });
      return rows;
    });

    const [request] = receiver.requests;
    expect(request?.url).toBe('/hooks?key=1');
    expect(request?.method).toBe('POST');
    expect(request?.body.toString()).toBe(sent.requestBody);
    expect(request?.headers['content-type']).toBe('application/json');
    expect(request?.headers['signature']).toBe(createHmac('sha256', shop.secret).update(request!.body).digest('hex'));
    const headers = request!.headers as Record<string, string>;
    expect(new Webhook(shop.secret).verify(request!.body, headers)).toEqual(JSON.parse(sent.requestBody));
    expect(headers['webhook-id']).toBe(String(row!.id));
    expect(receiver.requests).toHaveLength(1);
    expect(await world.attempts(row!.id)).toMatchObject([{ number: 1, status_code: 200, error: null }]);
  });
});
