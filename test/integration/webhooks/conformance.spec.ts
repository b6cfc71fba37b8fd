import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createReceiver, rememberInMemory, verify, type VerifyOptions } from '@payment-orchestrator/receiver';
import { spaced } from '../../../src/webhooks/tools/case-signer.js';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import type { ApiClient } from '../../support/app/api-client.js';
import { dataOf, Merchant, type ShopAnswer } from '../../support/app/merchant.js';
import { type Behaviour, type Receiver, type ReceivedRequest, startReceiver } from '../../support/servers/receiver.js';

interface Run {
  passed: boolean;
  cases: (Record<'name' | 'sent' | 'expected' | 'got', string> &
    Record<'advice' | 'unproven', string | null> & { passed: boolean })[];
}

const CASES = [
  'genuine',
  'repeated_id',
  'exact_bytes',
  'tampered_body',
  'wrong_secret',
  'stale_timestamp',
  'future_timestamp',
  'old_secret',
  'unknown_event',
  'unknown_field',
  'empty_optional_parts',
  'large_body',
  'slow_body',
  'out_of_order',
];

interface SampleEvent {
  timestamp: string;
  payment: { status: string };
}

/** A receiver with its shop and the result of its run. */
interface Trial {
  client: ApiClient;
  shop: ShopAnswer;
  receiver: Receiver;
  run: Run;
}

describe('POST /webhooks/shop/{shopId}/conformance', () => {
  let api: TestApi;
  let client: ApiClient;
  let receiver: Receiver;
  let shop: ShopAnswer;
  const trials: (() => Promise<Trial>)[] = [];
  const receivers: Receiver[] = [];

  beforeAll(async () => {
    [api, receiver] = await Promise.all([sharedApi(), startReceiver()]);
    client = await api.login();
    shop = await new Merchant(client).createShop('conforms');
    // a failure is reported by the test of the trial
    for (const trial of trials) trial().catch(() => undefined);
  });
  afterAll(async () => {
    await api.stop();
    await Promise.all([receiver, ...receivers].map((each) => each.stop()));
  });
  beforeEach(() => {
    receiver.requests.length = 0;
  });

  const ask = (caller = client, endpoint = receiver.url, shopId = shop.id) =>
    caller.post(`/webhooks/shop/${shopId}/conformance`, { webhook_endpoint: endpoint });

  /** Defines a trial. A run takes seconds, mostly waiting, so all run concurrently, each for its own merchant. */
  function trial(behaviour: (shop: ShopAnswer, caller: ApiClient) => Behaviour | number | Promise<Behaviour>) {
    let begun: Promise<Trial> | undefined;
    const begin = async (): Promise<Trial> => {
      const [caller, tested] = await Promise.all([api.loginAsAnotherMerchant(), startReceiver()]);
      receivers.push(tested);
      const own = await new Merchant(caller).createShop('conforms');
      tested.respondWith(await behaviour(own, caller));
      return { client: caller, shop: own, receiver: tested, run: dataOf(await ask(caller, tested.url, own.id)) };
    };
    const once = (): Promise<Trial> => (begun ??= begin());
    trials.push(once);
    return once;
  }
  const failed = ({ cases }: Run): string[] => cases.filter(({ passed }) => !passed).map(({ name }) => name);
  const adviceOn = ({ cases }: Run, name: string) => cases.find((each) => each.name === name)?.advice;

  /** Returns a correct receiver, except for the given fault. */
  const aReceiver = (
    shop: ShopAnswer,
    fault: { check?: (request: ReceivedRequest) => unknown; forgets?: true } & VerifyOptions = {},
  ) => {
    const duplicates = rememberInMemory();
    return async (request: ReceivedRequest): Promise<number> => {
      if (fault.check) {
        try {
          if (!(await fault.check(request))) return 401;
        } catch {
          return 401;
        }
        const id = String(request.headers['webhook-id']);
        if (duplicates.seen(id)) return 208;
        await duplicates.remember(id);
        return 200;
      }
      const receive = createReceiver({
        secrets: shop.webhook_secret,
        handle: () => undefined,
        ...(!fault.forgets && { duplicates }),
        ...fault,
      });
      return (await receive(request.body, request.headers)).status;
    };
  };
  const signatureOf = (content: string | Buffer, secret: string): string =>
    createHmac('sha256', secret).update(content).digest('hex');

  const right = trial((shop) => aReceiver(shop));

  it('passes a receiver based on the package in every case', async () => {
    const { run } = await right();
    expect(run.cases.map(({ name, passed, advice }) => ({ name, passed, advice }))).toEqual(
      CASES.map((name) => ({ name, passed: true, advice: null })),
    );
    expect(run.passed).toBe(true);
    expect(run.cases[0]).toEqual({
      name: 'genuine',
      passed: true,
      sent: 'a completed payment, signed with the webhook secret',
      expected: 'a 2xx within 3 s',
      got: expect.stringMatching(/^204 in \d+ ms$/),
      advice: null,
      unproven: null,
    });
  });

  const unprovenIn = ({ cases }: Run): string[] =>
    cases.flatMap(({ name, unproven }) => (unproven === null ? [] : name));
  it('reports that the answers of a receiver that drops repetitions do not show the order', async () => {
    const { run } = await right();
    expect(unprovenIn(run)).toEqual(['out_of_order']);
    const { unproven } = run.cases.at(-1)!;
    expect(unproven).toContain('payment 0 is still completed');
  });

  const ordering = trial((shop) => {
    let latest = '';
    const handle = ({ timestamp }: { timestamp?: string }): boolean => {
      const isNewer = timestamp! >= latest;
      if (isNewer) latest = timestamp!;
      return isNewer;
    };
    const receive = createReceiver({ secrets: shop.webhook_secret, duplicates: rememberInMemory(), handle });
    return async ({ body, headers }) => (await receive(body, headers)).status;
  });
  it('reports no unproven case for a receiver that answers 208 to dropped events', async () => {
    const { run } = await ordering();
    expect([failed(run), unprovenIn(run)]).toEqual([[], []]);
    expect(run.cases.at(-1)!.got).toMatch(/^204 in \d+ ms, then 208 in/);
  });

  const holdingTheKey = trial(async (shop, client) => {
    dataOf(await client.patch(`/shops/${shop.id}`, { webhook_signing: 'public_key' }));
    const { keys } = (await (await fetch(`${api.url}/shops/${shop.id}/jwks.json`)).json()) as { keys: [{ x: string }] };
    const key = `whpk_${Buffer.from(keys[0].x, 'base64url').toString('base64')}`;
    return aReceiver(shop, { check: ({ body, headers }) => verify(body, headers, key) });
  });
  it('passes a receiver that has only the public key', async () => {
    expect(failed((await holdingTheKey()).run)).toEqual([]);
  });

  const parsing = trial((shop) =>
    aReceiver(shop, {
      check: ({ body, headers }) => verify(JSON.stringify(JSON.parse(body.toString())), headers, shop.webhook_secret),
    }),
  );
  it('detects a receiver that parses and serializes the body', async () => {
    const { run } = await parsing();
    expect(failed(run)).toEqual(['exact_bytes']);
    expect(adviceOn(run, 'exact_bytes')).toContain('parses and serializes the body');
  });

  const spacing = trial((shop) =>
    aReceiver(shop, { check: ({ body, headers }) => verify(spaced(body.toString()), headers, shop.webhook_secret) }),
  );
  it('detects a receiver that serializes like Python and therefore refuses everything', async () => {
    const { run } = await spacing();
    expect(failed(run)).toContain('genuine');
    expect(adviceOn(run, 'genuine')).toContain('parses and serializes the body');
  });

  const upperCase = trial((shop) =>
    aReceiver(shop, {
      check: ({ body, headers }) => headers['signature'] === signatureOf(body, shop.webhook_secret).toUpperCase(),
    }),
  );
  it('detects a receiver that compares with upper case', async () => {
    const { run } = await upperCase();
    expect(adviceOn(run, 'genuine')).toContain('upper case');
  });

  const ignoringTime = trial((shop) => aReceiver(shop, { toleranceSeconds: 1e9 }));
  it('detects a receiver that ignores the timestamp', async () => {
    const { run } = await ignoringTime();
    expect(failed(run)).toEqual(['stale_timestamp', 'future_timestamp']);
    expect(adviceOn(run, 'stale_timestamp')).toContain('ignored');
  });

  const forgetting = trial((shop) => aReceiver(shop, { forgets: true }));
  it('passes a receiver that acknowledges a repetition with any 2xx, and reports what that does not show', async () => {
    const { run, receiver } = await forgetting();
    expect(failed(run)).toEqual([]);
    expect(unprovenIn(run)).toEqual(['repeated_id', 'out_of_order']);
    const { unproven } = run.cases.find(({ name }) => name === 'repeated_id')!;
    expect(unproven).toContain(`handled ${String(receiver.requests[0]!.headers['webhook-id'])} once`);
  });

  const refusing = trial((shop) => {
    const receive = aReceiver(shop);
    return async (request) => {
      const status = await receive(request);
      return status === 208 ? 409 : status;
    };
  });
  it('detects a receiver that refuses a repetition', async () => {
    const { run } = await refusing();
    expect(failed(run)).toEqual(['repeated_id']);
    expect(adviceOn(run, 'repeated_id')).toContain('answer with a 2xx');
  });

  it('ends with samples whose payment status shows whether an older event was applied', async () => {
    const { receiver } = await forgetting();
    const [newer, older] = receiver.requests.slice(-2).map(({ body }) => JSON.parse(body.toString()) as SampleEvent);
    expect([newer!.payment.status, older!.payment.status]).toEqual(['completed', 'processing']);
    expect(older!.timestamp < newer!.timestamp).toBe(true);
  });

  const late = trial(() => () => ({ status: 200, delayMs: 5_000 }));
  it('detects a receiver that answers after five seconds, and stops', async () => {
    const { run, receiver } = await late();
    expect(failed(run)).toEqual(CASES);
    expect(adviceOn(run, 'genuine')).toContain('Answer within 3 s');
    expect(run.cases[0]!.got).toMatch(/^no answer in \d+ ms: timeout/);
    expect(run.cases[1]).toMatchObject({ got: 'not sent', advice: expect.stringContaining('genuine') });
    expect(receiver.requests).toHaveLength(1);
  });

  const plain = trial((shop) => aReceiver(shop, { scheme: 'signature' }));
  it('detects the limits of a receiver that verifies only Signature', async () => {
    const { run } = await plain();
    expect(failed(run)).toEqual(['stale_timestamp', 'future_timestamp', 'old_secret']);
  });

  const careless = trial(() => 208);
  it('detects a receiver that accepts everything', async () => {
    const { run } = await careless();
    expect(failed(run)).toEqual(['tampered_body', 'wrong_secret', 'stale_timestamp', 'future_timestamp']);
  });

  const narrow = [
    { what: 'fails on unknown events', status: 500, name: 'unknown_event', advice: 'The receiver failed' },
    {
      what: 'refuses unknown events',
      status: 422,
      name: 'unknown_event',
      advice: 'Acknowledge and ignore unknown events',
    },
    { what: 'redirects', status: 308, name: 'unknown_field', advice: 'Redirects are not followed' },
  ].map((each) => ({
    ...each,
    tried: trial((shop) => {
      const known = aReceiver(shop);
      return async (request) => {
        const accepted = await known(request);
        const text = request.body.toString();
        const isUnknown = text.includes('payment.conformance') || text.includes('"conformance":');
        return accepted < 300 && isUnknown ? each.status : accepted;
      };
    }),
  }));
  it.each(narrow)('detects a receiver that $what', async ({ name, advice, tried }) => {
    const { run } = await tried();
    expect(failed(run)).toEqual(['unknown_event', 'unknown_field']);
    expect(adviceOn(run, name)).toContain(advice);
  });

  it('marks its requests as tests, with ids of no real payment', async () => {
    const { receiver } = await right();
    const bodies = receiver.requests.map(({ body }) => JSON.parse(body.toString()) as Record<string, unknown>);
    expect(bodies.length).toBeGreaterThanOrEqual(CASES.length);
    expect(bodies.every(({ test, payment }) => test === true && (payment as { id: number }).id === 0)).toBe(true);
    expect(receiver.requests.every(({ headers }) => headers['webhook-test'] === 'true')).toBe(true);
    expect(Math.max(...receiver.requests.map(({ body }) => body.length))).toBe(262_144);
  });

  it('records only an audit entry', async () => {
    const { client, shop } = await right();
    const stats = dataOf<{ recent_webhooks: unknown[] }>(await client.get(`/webhooks/shop/${shop.id}/stats`));
    expect(stats.recent_webhooks).toEqual([]);
    const [entry] = dataOf<{ action: string }[]>(await client.get('/audit?limit=1'));
    expect(entry).toMatchObject({ action: 'webhook.conformance_run', object: { id: String(shop.id) } });
  });

  it('refuses addresses that are forbidden for webhooks', async () => {
    const run = dataOf<Run>(await ask(client, 'http://10.0.0.1/hook'));
    expect(run.cases[0]!.got).toContain('forbidden_address');
  });

  it('allows a merchant one run at a time, and one waiting', async () => {
    let refused = (): void => undefined;
    const isRefused = new Promise<void>((resolve) => (refused = resolve));
    // the first run does not end before a request was refused
    receiver.respondWith(() => isRefused.then(() => 200));
    const answers = [ask(), ask(), ask()];
    for (const answer of answers) void answer.then(({ status }) => status === 429 && refused());
    expect((await Promise.all(answers)).map(({ status }) => status).sort()).toEqual([200, 200, 429]);
  });

  it('limits the rate of runs of a merchant', async () => {
    const otherMerchant = await api.loginAsAnotherMerchant();
    const { id } = await new Merchant(otherMerchant).createShop('runs often');
    const statuses: number[] = [];
    for (let run = 0; run < 40 && statuses.at(-1) !== 429; run++) {
      statuses.push((await ask(otherMerchant, 'http://10.0.0.1/hook', id)).status);
    }
    expect(statuses.at(-1)).toBe(429);
    expect(statuses.length).toBeGreaterThan(20);
  });

  it('returns 404 for a shop of another merchant, and sends nothing', async () => {
    const otherMerchant = await api.loginAsAnotherMerchant();
    expect(await ask(otherMerchant)).toMatchObject({ status: 404, body: { code: 'shop_not_found' } });
    expect(receiver.requests).toHaveLength(0);
  });
});
