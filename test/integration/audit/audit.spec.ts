import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AuditTrailService } from '../../../src/audit/audit-log.service.js';
import { AUDIT_ACTIONS, walkEntries } from '../../../src/audit/audit.queries.js';
import { ApiClientsService } from '../../../src/auth/api-clients.service.js';
import { configureSession } from '../../../src/platform/database/connection-watchdog.js';
import { ApiClient } from '../../support/app/api-client.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { endDeliveries, holdDelivery } from '../../support/app/end-deliveries.js';
import { dataOf, Merchant, NOTIFICATION_SECRET, type ShopAnswer } from '../../support/app/merchant.js';
import { bootstrapClient } from '../../support/app/settings.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { explained } from '../webhooks/explained.js';

interface Entry {
  id: number;
  at: string;
  actor: { type: string; client_id: string | null };
  action: string;
  object: { type: string; id: string };
  fields: string[];
  details: Record<string, unknown>;
  address: string | null;
  request_id: string | null;
}

interface Page {
  data: Entry[];
  pagination: { next_cursor: string | null; has_more: boolean };
}

/** The client that the service creates at its first start. */
const FIRST = { id: 'the-first-client', secret: 'secret-of-the-first-client' };

describe('the audit log', () => {
  let api: TestApi;
  let client: ApiClient;
  let merchant: Merchant;
  let receiver: Receiver;
  let shop: ShopAnswer;
  let flow: { id: number; name: string };
  let merchantId: number;
  let endpointId: number;
  let made = 0;

  beforeAll(async () => {
    [api, receiver] = await Promise.all([startApi(bootstrapClient(FIRST)), startReceiver()]);
    client = await ApiClient.login(api.url, FIRST.id, FIRST.secret);
    merchant = new Merchant(client);
    merchantId = (await api.get(ApiClientsService).find(FIRST.id))!.merchantId;
  });
  afterAll(async () => {
    await api.stop();
    await receiver.stop();
  });
  beforeEach(async () => {
    const name = `audited ${++made}`;
    shop = await merchant.createShop(name);
    flow = await merchant.createFlow(name, [shop.id]);
  });

  /** Rolls out a draft of the flow. */
  const rollOut = async (reason: string) => {
    await client.post(`/flows/${flow.id}/versions`, { strategy: 'weighted', shops: [{ shop_id: shop.id }] });
    const body = { version: 2, percent: 10, key: 'payment', reason };
    return client.post<{ data: { id: number } }>(`/flows/${flow.id}/rollouts`, body);
  };
  const aRollout = async () => `/flows/${flow.id}/rollouts/${dataOf<{ id: number }>(await rollOut('By weight')).id}`;

  /** Requests an approval of a draft of the flow. */
  const aRequest = async (): Promise<void> => {
    await client.post(`/flows/${flow.id}/versions`, { strategy: 'weighted', shops: [{ shop_id: shop.id }] });
    await client.post(`/flows/${flow.id}/versions/2/approval-requests`);
  };

  const page = async (query: string): Promise<Page> => {
    const response = await client.get<Page>(`/audit${query}`);
    expect(response.status).toBe(200);
    return response.body;
  };
  const entriesOf = async (type: string, id: number | string): Promise<Entry[]> =>
    (await page(`?object_type=${type}&object_id=${id}&limit=100`)).data;
  const latestOf = async (type: string, id: number | string): Promise<Entry> => (await entriesOf(type, id))[0]!;
  const finishDeliveries = () => endDeliveries(api.database.pool, 'true', [], { status: 'failed' });

  /** Creates a standing endpoint that nothing answers, and returns its path. */
  const anEndpoint = async (): Promise<string> => {
    const body = { url: 'http://127.0.0.1:65535/hook', headers: { 'X-A': 'a-value' } };
    endpointId = dataOf<{ id: number }>(await client.post('/webhooks/endpoints', body)).id;
    return `/webhooks/endpoints/${endpointId}`;
  };

  /** Every audited call of the API, with its object and the additional fields of its entry. */
  const CALLS: Record<string, { call: () => Promise<unknown>; object: () => [string, number]; says: object }> = {
    'shop.updated': {
      call: () =>
        client.patch(`/shops/${shop.id}`, { enabled: false, provider_credentials: {}, fees: [{ percent: 1 }] }),
      object: () => ['shop', shop.id],
      says: { fields: ['enabled', 'provider_credentials', 'fees'], details: {} },
    },
    'shop.webhook_secret_rotated': {
      call: () => client.post(`/shops/${shop.id}/webhook-secret/rotate`, { overlap_seconds: 60 }),
      object: () => ['shop', shop.id],
      says: { fields: [], details: { overlap_seconds: 60, activate_in_seconds: 0 } },
    },
    'shop.webhook_key_rotated': {
      call: async () => {
        await client.patch(`/shops/${shop.id}`, { webhook_signing: 'public_key' });
        return client.post(`/shops/${shop.id}/webhook-key/rotate`, { overlap_seconds: 60 });
      },
      object: () => ['shop', shop.id],
      says: { fields: [], details: { overlap_seconds: 60 } },
    },
    'flow.updated': {
      call: () =>
        client.patch(`/flows/${flow.id}`, { name: `${flow.name} again`, strategy: 'weighted', reason: 'By weight' }),
      object: () => ['flow', flow.id],
      says: { fields: ['name', 'strategy'], details: { version: 2, reason: 'By weight' } },
    },
    'flow.version_drafted': {
      call: () => client.post(`/flows/${flow.id}/versions`, { strategy: 'weighted', shops: [{ shop_id: shop.id }] }),
      object: () => ['flow', flow.id],
      says: { fields: [], details: { version: 2 } },
    },
    'flow.approval_requested': {
      call: async () => {
        await client.post(`/flows/${flow.id}/versions`, { strategy: 'weighted', shops: [{ shop_id: shop.id }] });
        const body = { colleagues: ['client_bob'], message: 'Cheaper' };
        return client.post(`/flows/${flow.id}/versions/2/approval-requests`, body);
      },
      object: () => ['flow', flow.id],
      says: { fields: [], details: { version: 2, colleagues: ['client_bob'], message: 'Cheaper' } },
    },
    'flow.approval_withdrawn': {
      call: async () => {
        await aRequest();
        return client.post(`/flows/${flow.id}/versions/2/approval-requests/withdraw`, { reason: 'Not yet' });
      },
      object: () => ['flow', flow.id],
      says: { fields: [], details: { version: 2, reason: 'Not yet' } },
    },
    'flow.version_rejected': {
      call: async () => {
        await aRequest();
        await api.database.pool.query("UPDATE flow_versions SET created_by = 'another'");
        return client.post(`/flows/${flow.id}/versions/2/reject`, { reason: 'No contract' });
      },
      object: () => ['flow', flow.id],
      says: { fields: [], details: { version: 2, reason: 'No contract' } },
    },
    'flow.version_commented': {
      call: async () => {
        await client.post(`/flows/${flow.id}/versions`, { strategy: 'weighted', shops: [{ shop_id: shop.id }] });
        return client.post(`/flows/${flow.id}/versions/2/comments`, { comment: 'Why?' });
      },
      object: () => ['flow', flow.id],
      says: { fields: [], details: { version: 2, comment_id: expect.any(Number) } },
    },
    'flow.version_approved': {
      call: async () => {
        await client.post(`/flows/${flow.id}/versions`, { strategy: 'weighted', shops: [{ shop_id: shop.id }] });
        await api.database.pool.query("UPDATE flow_versions SET created_by = 'another'");
        return client.post(`/flows/${flow.id}/versions/2/approve`, { reason: 'Checked' });
      },
      object: () => ['flow', flow.id],
      says: { fields: [], details: { version: 2, reason: 'Checked' } },
    },
    'flow.version_activated': {
      call: async () => {
        await client.post(`/flows/${flow.id}/versions`, { strategy: 'weighted', shops: [{ shop_id: shop.id }] });
        return client.post(`/flows/${flow.id}/versions/2/activate`, { reason: 'By weight' });
      },
      object: () => ['flow', flow.id],
      says: { fields: [], details: { version: 2, reason: 'By weight' } },
    },
    'flow.rollout_started': {
      call: () => rollOut('By weight'),
      object: () => ['flow', flow.id],
      says: {
        fields: [],
        details: { rollout_id: expect.any(Number), version: 2, percent: 10, key: 'payment', reason: 'By weight' },
      },
    },
    'flow.rollout_changed': {
      call: async () => client.patch(await aRollout(), { percent: 20, reason: 'More' }),
      object: () => ['flow', flow.id],
      says: { fields: [], details: { rollout_id: expect.any(Number), version: 2, percent: 20, reason: 'More' } },
    },
    'flow.rollout_promoted': {
      call: async () => client.post(`${await aRollout()}/promote`, { reason: 'Better' }),
      object: () => ['flow', flow.id],
      says: { fields: [], details: { rollout_id: expect.any(Number), version: 2, reason: 'Better' } },
    },
    'flow.rollout_aborted': {
      call: async () => client.post(`${await aRollout()}/abort`, { reason: 'Worse' }),
      object: () => ['flow', flow.id],
      says: {
        fields: [],
        details: { rollout_id: expect.any(Number), version: 2, cause: 'requested', reason: 'Worse' },
      },
    },
    'flow.deleted': {
      call: () => client.delete(`/flows/${flow.id}`),
      object: () => ['flow', flow.id],
      says: { fields: [], details: {} },
    },
    'deliveries.replayed': {
      call: async () => {
        await merchant.pay(flow.name, { webhook_endpoint: receiver.url });
        await finishDeliveries();
        return client.post(`/webhooks/shop/${shop.id}/replay`, {
          from: '2020-01-01T00:00:00Z',
          to: '2099-01-01T00:00:00Z',
        });
      },
      object: () => ['shop', shop.id],
      says: {
        fields: [],
        details: {
          from: '2020-01-01T00:00:00.000Z',
          to: '2099-01-01T00:00:00.000Z',
          statuses: ['delivered', 'failed'],
        },
      },
    },
    'deliveries.redelivered': {
      call: async () => {
        await merchant.pay(flow.name, { webhook_endpoint: receiver.url });
        await finishDeliveries();
        const filter = { shop_id: shop.id, webhook_endpoint: receiver.url, from: '2020-01-01T00:00:00Z' };
        return client.post('/webhooks/redeliver', filter);
      },
      object: () => ['merchant', merchantId],
      says: {
        fields: ['webhook_endpoint'],
        details: { count: 2, status: 'failed', shop_id: expect.any(Number), from: '2020-01-01T00:00:00.000Z' },
      },
    },
    'endpoint.created': {
      call: anEndpoint,
      object: () => ['endpoint', endpointId],
      says: { fields: [], details: {} },
    },
    'endpoint.updated': {
      call: async () => client.patch(await anEndpoint(), { description: 'x', auth: { type: 'bearer', token: 'y' } }),
      object: () => ['endpoint', endpointId],
      says: { fields: ['description', 'auth'], details: {} },
    },
    'endpoint.paused': {
      call: async () => client.post(`${await anEndpoint()}/pause`),
      object: () => ['endpoint', endpointId],
      says: { fields: [], details: {} },
    },
    'endpoint.resumed': {
      call: async () => {
        await client.post(`${await anEndpoint()}/pause`);
        return client.post(`/webhooks/endpoints/${endpointId}/resume`);
      },
      object: () => ['endpoint', endpointId],
      says: { fields: [], details: {} },
    },
    'endpoint.secret_rotated': {
      call: async () => client.post(`${await anEndpoint()}/rotate-secret`, { overlap_seconds: 60 }),
      object: () => ['endpoint', endpointId],
      says: { fields: [], details: { overlap_seconds: 60, activate_in_seconds: 0 } },
    },
    'endpoint.tested': {
      call: async () => client.post(`${await anEndpoint()}/test`),
      object: () => ['endpoint', endpointId],
      says: { fields: [], details: {} },
    },
    'endpoint.conformance_run': {
      call: async () => client.post(`${await anEndpoint()}/conformance`),
      object: () => ['endpoint', endpointId],
      says: { fields: [], details: {} },
    },
    'endpoint.deleted': {
      call: async () => client.delete(await anEndpoint()),
      object: () => ['endpoint', endpointId],
      says: { fields: [], details: {} },
    },
    'webhook.tested': {
      call: () => client.post(`/webhooks/shop/${shop.id}/test`, { webhook_endpoint: receiver.url }),
      object: () => ['shop', shop.id],
      says: { fields: [], details: {} },
    },
    'shop.credentials_checked': {
      call: () => client.post(`/shops/${shop.id}/credentials/check`),
      object: () => ['shop', shop.id],
      says: { fields: [], details: {} },
    },
    'webhook.conformance_run': {
      call: () => client.post(`/webhooks/shop/${shop.id}/conformance`, { webhook_endpoint: 'http://10.0.0.1/hook' }),
      object: () => ['shop', shop.id],
      says: { fields: [], details: {} },
    },
  };

  it.each(Object.keys(CALLS))('records %s', async (action) => {
    const { call, object, says } = CALLS[action]!;
    await call();
    expect(await latestOf(...object())).toEqual({
      id: expect.any(Number),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      actor: { type: 'client', client_id: FIRST.id, name: 'Bootstrap client' },
      action,
      object: { type: object()[0], id: String(object()[1]) },
      address: '127.0.0.1',
      request_id: expect.any(String),
      ...says,
    });
  });

  it('records new objects with the request that created them', async () => {
    const headers = { 'x-request-id': 'the-request-of-this-test' };
    const created = dataOf<ShopAnswer>(await client.post('/shops', { name: 'recorded' }, headers));
    expect(await latestOf('shop', created.id)).toMatchObject({
      action: 'shop.created',
      request_id: 'the-request-of-this-test',
    });
    expect(await latestOf('flow', flow.id)).toMatchObject({ action: 'flow.created' });
  });

  it('records a retry', async () => {
    const { id: paymentId } = await merchant.pay(flow.name, { webhook_endpoint: receiver.url });
    const [delivery] = await api.deliveriesOf(paymentId);
    const retry = (body = {}) => client.post(`/webhooks/deliveries/${delivery!.id}/retry`, body);
    await holdDelivery(api.database.pool, delivery!.id);
    expect((await retry()).status).toBe(409);
    expect(await entriesOf('delivery', delivery!.id)).toEqual([]);
    await finishDeliveries();
    expect((await retry()).status).toBe(202);
    expect(await latestOf('delivery', delivery!.id)).toMatchObject({ action: 'delivery.retried', fields: [] });
    expect((await retry({ webhook_endpoint: `${receiver.url}/secret-path` })).status).toBe(202);
    const latest = await latestOf('delivery', delivery!.id);
    expect(latest).toMatchObject({ action: 'delivery.retried', fields: ['webhook_endpoint'], details: {} });
  });

  it('records the first client as created by the service', async () => {
    expect(await latestOf('client', FIRST.id)).toMatchObject({
      action: 'client.created',
      actor: { type: 'system', client_id: null },
      details: { kind: 'program', role: 'owner' },
      address: null,
      request_id: null,
    });
  });

  it('covers every action in this file except those of clients, customers, alarms, reconciliation, settling, payments and failing endpoints', () => {
    const here = [...Object.keys(CALLS), 'shop.created', 'flow.created', 'delivery.retried', 'client.created'];
    const clientActions = ['client.updated', 'client.revoked', 'client.secret_rotated'];
    const elsewhere = [
      ...clientActions,
      'customer.erased',
      'payment_method.saved',
      'payment_method.removed',
      'alarm.acknowledged',
      'charge.given_back',
      'operation.settled',
      'operation.settlement_requested',
      'payment.updated',
      'payment.capture_requested',
      'payment.cancel_requested',
      'payment.refund_requested',
      'endpoint.disabled',
    ];
    expect([...here, ...elsewhere].sort()).toEqual(Object.keys(AUDIT_ACTIONS).sort());
  });

  it('records nothing for a request without effect', async () => {
    const before = await page('');
    await client.patch(`/shops/${shop.id}`, {});
    await client.patch(`/flows/${flow.id}`, {});
    await client.patch(`/flows/${flow.id}`, { name: flow.name, strategy: 'round_robin' });
    await client.post(`/flows/${flow.id}/versions/1/activate`);
    await client.post('/shops', { name: shop.name });
    await client.post('/flows', { name: flow.name, strategy: 'weighted', shops: [{ shop_id: shop.id }] });
    const span = { from: '2001-01-01T00:00:00Z', to: '2002-01-01T00:00:00Z' };
    await client.post(`/webhooks/shop/${shop.id}/replay`, span);
    expect(await page('')).toEqual(before);
  });

  it('never contains a secret', async () => {
    const secret = 'whsec_' + Buffer.alloc(32, 9).toString('base64');
    const created = dataOf<ShopAnswer>(await client.post('/shops', { name: 'secretive', webhook_secret: secret }));
    await client.patch(`/shops/${created.id}`, { provider_credentials: { notification_secret: NOTIFICATION_SECRET } });
    const { rows } = await api.database.pool.query<{ text: string }>(
      'SELECT string_agg(e::text, chr(10)) AS text FROM audit_entries e',
    );
    for (const hidden of [secret, NOTIFICATION_SECRET, shop.webhook_secret]) {
      expect(rows[0]!.text).not.toContain(hidden);
    }
  });

  describe('a change and its audit entry', () => {
    const dumpWithoutSequences = async () => (await api.database.dump()).replace(/^.*_seq\n.*\n/gm, '');

    it('commit together or not at all', async () => {
      const { id: paymentId } = await merchant.pay(flow.name, { webhook_endpoint: receiver.url });
      await finishDeliveries();
      const [delivery] = await api.deliveriesOf(paymentId);
      await client.post(`/flows/${flow.id}/versions`, { strategy: 'weighted', shops: [{ shop_id: shop.id }] });
      await api.database.pool.query('ALTER TABLE audit_entries ADD CONSTRAINT refusing CHECK (false) NOT VALID');
      try {
        const before = await dumpWithoutSequences();
        const span = { from: '2020-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z' };
        const draft = { strategy: 'priority', shops: [{ shop_id: shop.id }] };
        const responses = [
          await client.post('/shops', { name: 'never' }),
          await client.patch(`/shops/${shop.id}`, { enabled: false }),
          await client.post(`/shops/${shop.id}/webhook-secret/rotate`, {}),
          await client.post('/flows', { name: 'never', ...draft }),
          await client.patch(`/flows/${flow.id}`, { strategy: 'priority' }),
          await client.post(`/flows/${flow.id}/versions`, draft),
          await client.post(`/flows/${flow.id}/versions/2/activate`),
          await client.post(`/webhooks/deliveries/${delivery!.id}/retry`),
          await client.post(`/webhooks/shop/${shop.id}/replay`, span),
          await client.post('/webhooks/redeliver', { shop_id: shop.id }),
          await client.post(`/webhooks/shop/${shop.id}/test`, { webhook_endpoint: receiver.url }),
        ];
        expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 500));
        expect(await dumpWithoutSequences()).toBe(before);
      } finally {
        await api.database.pool.query('ALTER TABLE audit_entries DROP CONSTRAINT refusing');
      }
    });
  });

  it('refuses a modification', async () => {
    for (const statement of [
      'UPDATE audit_entries SET fields = fields',
      'DELETE FROM audit_entries',
      'TRUNCATE audit_entries',
    ])
      await expect(api.database.pool.query(statement)).rejects.toThrow('append-only');
  });

  describe('GET /audit', () => {
    it('returns the entries by pages, newest first, each once', async () => {
      const all = (await page('?limit=100')).data;
      const paged: Entry[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const next: Page = await page(`?limit=30${cursor === '' ? '' : `&cursor=${cursor}`}`);
        paged.push(...next.data);
        expect(next.pagination.has_more).toBe(next.pagination.next_cursor !== null);
        cursor = paged.length >= all.length ? null : next.pagination.next_cursor;
      }
      expect(paged.slice(0, all.length)).toEqual(all);
      const times = all.map(({ at, id }) => `${at} ${String(id).padStart(10, '0')}`);
      expect(times).toEqual([...times].sort().reverse());
    });

    it('filters by action, object, actor, client and time', async () => {
      const filtered = async (query: string): Promise<Entry[]> => {
        const entries: Entry[] = [];
        for (let cursor: string | null = ''; cursor !== null;) {
          const { data, pagination } = await page(`?limit=100&${query}${cursor && `&cursor=${cursor}`}`);
          entries.push(...data);
          cursor = pagination.next_cursor;
        }
        return entries;
      };
      const all = await filtered('');
      expect(await filtered('action=flow.created')).toEqual(all.filter((one) => one.action === 'flow.created'));
      expect(await filtered('actor=system')).toEqual(all.filter((one) => one.actor.type === 'system'));
      expect(await filtered('client_id=unknown')).toEqual([]);
      expect(await filtered(`object_type=shop&object_id=${shop.id}`)).toEqual(
        all.filter((one) => one.object.type === 'shop' && one.object.id === String(shop.id)),
      );
      const [newest, oldest] = [all[0]!, all.at(-1)!];
      expect(await filtered(`from=${newest.at}`)).toEqual(all.filter((one) => one.at >= newest.at));
      expect(await filtered(`to=${oldest.at}`)).toEqual([]);
      expect(await filtered(`from=${oldest.at}&to=${newest.at}`)).toEqual(all.filter((one) => one.at < newest.at));
    });

    it('refuses wrong parameters', async () => {
      const wrong = [
        'action=nonsense',
        'object_type=receiver',
        'actor=ada',
        'from=yesterday',
        'to=2026-01-01',
        'cursor=x',
      ];
      const answers = await Promise.all(wrong.map((query) => client.get<{ code: string }>(`/audit?${query}`)));
      const refused = wrong.map((query) => [query, 400, 'malformed_request']);
      expect(answers.map(({ status, body }, index) => [wrong[index], status, body.code])).toEqual(refused);
    });

    it('refuses the cursor of another merchant', async () => {
      const stranger = await api.loginAsAnotherMerchant();
      const cursor = (await page('?limit=1')).pagination.next_cursor!;
      expect(await stranger.get(`/audit?cursor=${cursor}`)).toMatchObject({
        status: 400,
        body: { code: 'malformed_request', errors: [{ field: 'cursor' }] },
      });
    });

    it('looks at a bounded number of entries, and goes on from the last of them', async () => {
      const MERCHANT = 4_711;
      await api.database.pool.query(
        `INSERT INTO audit_entries (merchant_id, at, actor, client_id, action, object_type, object_id, fields, details)
         SELECT ${MERCHANT}, '2026-01-01'::timestamptz + n * interval '1 s', 'client', 'ada', 'payment_method.saved', 'customer',
           n::text, '{}', '{}' FROM generate_series(1, 3000) n`,
      );
      await api.database.pool.query('ANALYZE audit_entries');
      const client = await api.database.pool.connect();
      try {
        await configureSession(client);
        for (const filter of [
          { clientId: 'unknown' },
          { actor: 'cli' },
          { objectType: 'shop' },
          { clientId: 'x', action: 'payment_method.saved' },
        ])
          for (const kind of ['generic', 'custom'] as const) {
            await client.query('BEGIN');
            const limits = { limit: 21, beforeId: undefined, count: 500 };
            const { rows } = await explained(client, ...walkEntries(MERCHANT, filter, limits), kind);
            await client.query('ROLLBACK');
            expect(rows).toBeLessThan(2_100);
          }
      } finally {
        client.release();
      }
      const trail = api.get(AuditTrailService);
      const oldest = { clientId: 'ada', objectType: 'customer', to: new Date('2026-01-01T00:00:03Z') } as const;
      expect((await trail.list(MERCHANT, oldest, { limit: 5 })).items.map((entry) => entry.object_id)).toEqual([
        '2',
        '1',
      ]);
    });

    it('accepts its own cursor with another filter, also on an empty page', async () => {
      const cursor = (await page('?limit=1')).pagination.next_cursor!;
      expect((await page(`?cursor=${cursor}&to=2020-01-01T00:00:00Z`)).data).toEqual([]);
    });
  });
});
