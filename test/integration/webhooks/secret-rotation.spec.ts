import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import {
  EndpointRotations,
  type SecretRotation,
} from '../../../src/webhooks/endpoint/secrets/endpoint-rotation.service.js';
import { eventually } from '../../support/eventually.js';
import { type ReceivedRequest, type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { type Engine, EngineHarness, type TestShop } from './engine-harness.js';

const EVENTS = 43;
const OWN_SECRET = 'whsec_bWluZS1taW5lLW1pbmUtbWluZS1taW5lLW1pbmU=';

describe('a receiver while its webhook secret is rotated', () => {
  let harness: EngineHarness;
  let worker: Engine;
  let receiver: Receiver;
  let shop: TestShop;
  let deliver: () => Promise<void>;
  let sent: number;
  /** Secrets that the receiver knows. It answers 401 to other signatures. */
  let known: string[];

  beforeAll(async () => {
    harness = await EngineHarness.create('postgres');
    worker = await harness.startWorker();
    receiver = await startReceiver();
  });
  afterAll(async () => {
    await harness.stop();
    await receiver.stop();
  });
  beforeEach(async () => {
    shop = await harness.aShop(worker);
    known = [shop.secret];
    sent = 0;
    receiver.requests.length = 0;
    receiver.respondWith((request) => (known.includes(signedWith(request, known) ?? '') ? 200 : 401));
    const change = await harness.deliveriesTo(worker, shop, receiver.url);
    let payments = 0;
    deliver = async () => {
      await worker.deliver(change({ paymentId: ++payments }));
      sent += 1;
    };
  });

  /** Returns the secret that signed the header `Signature`. */
  const signedWith = ({ headers, body }: ReceivedRequest, secrets: string[]): string | undefined =>
    secrets.find((secret) => headers['signature'] === createHmac('sha256', secret).update(body).digest('hex'));
  const rotate = (rotation: SecretRotation) =>
    worker.get(EndpointRotations).rotate({ kind: 'default', merchantId: shop.merchantId, id: shop.shopId }, rotation);
  const allArrived = () => eventually(() => expect(receiver.requests.length).toBeGreaterThanOrEqual(sent));
  const deliverUpTo = async (count: number): Promise<void> => {
    while (sent < count) await deliver();
  };
  const noneRefused = async (): Promise<void> => {
    await eventually(async () => {
      const ours = (await harness.deliveries()).filter(({ status }) => status !== 'delivered');
      expect(ours).toEqual([]);
    });
    const { rows } = await harness.database.pool.query<{ refused: number }>(
      'SELECT count(*) AS refused FROM webhook_attempts WHERE status_code IS DISTINCT FROM 200',
    );
    expect([sent, rows[0]!.refused]).toEqual([EVENTS, 0]);
  };

  it('refuses nothing when it adds an announced secret before that signs', async () => {
    await deliverUpTo(10);
    const rotated = await rotate({ overlapSeconds: 3_600, activateInSeconds: 3_600 });
    await deliverUpTo(20); // the receiver does not know the new secret yet
    await allArrived();
    known.push(rotated.secret);
    await deliverUpTo(30);
    // an hour passes
    await harness.database.pool.query('UPDATE shops SET webhook_secret_active_from = now() WHERE id = $1', [
      shop.shopId,
    ]);
    await deliverUpTo(36);
    await allArrived();
    known.shift();
    await deliverUpTo(EVENTS);
    await allArrived();
    const last = receiver.requests.at(-1)!;
    expect(signedWith(last, [shop.secret, rotated.secret])).toBe(rotated.secret);
    await noneRefused();
  });

  it('refuses nothing when it knows the new secret before the service does', async () => {
    await deliverUpTo(15);
    known.push(OWN_SECRET);
    await deliverUpTo(20);
    const rotated = await rotate({ secret: OWN_SECRET, overlapSeconds: 0 });
    expect(rotated.secret).toBe(OWN_SECRET);
    await deliverUpTo(30);
    await allArrived();
    known.shift();
    await deliverUpTo(EVENTS);
    await allArrived();
    expect(signedWith(receiver.requests.at(-1)!, [shop.secret, OWN_SECRET])).toBe(OWN_SECRET);
    await noneRefused();
  });

  it('verifies Standard Webhooks with either secret after the announcement', async () => {
    const { secret } = await rotate({ overlapSeconds: 60, activateInSeconds: 3_600 });
    await deliver();
    await allArrived();
    const [{ body, headers }] = receiver.requests as [ReceivedRequest];
    expect(signedWith(receiver.requests[0]!, [shop.secret, secret])).toBe(shop.secret);
    for (const each of [shop.secret, secret])
      expect(() => new Webhook(each).verify(body, headers as Record<string, string>)).not.toThrow();
  });
});
