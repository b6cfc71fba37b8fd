import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../support/app/api-app.js';
import { ApiClient, served } from '../support/app/api-client.js';
import { insertClient } from '../support/app/insert-client.js';
import { stateOf, withoutRecords } from '../support/app/merchant-state.js';
import { Merchant } from '../support/app/merchant.js';
import { committedOpenApi, operationsOf } from '../support/fuzz/openapi-operations.js';
import { WRITING_OPERATIONS } from '../support/fuzz/writing-requests.js';

// test/long/kill-api.spec.ts kills the process at each step of these requests

let api: TestApi;

beforeAll(async () => {
  api = await startApi({
    // operations that need an open charge wait for it
    PROVIDER_TIMEOUT_MS: '1000',
    // they would change payments at any time; test/integration/providers/sandbox-dashboard.spec.ts tests them
    SANDBOX_NOTIFICATION_URL: 'http://127.0.0.1:1',
  });
});
afterAll(() => api.stop());

describe('a request that is sent twice', () => {
  it('WRITING_OPERATIONS lists every writing operation of the OpenAPI document', () => {
    const writing = operationsOf(committedOpenApi()).filter(({ method }) => method !== 'GET');
    expect(Object.keys(WRITING_OPERATIONS).sort()).toEqual(writing.map(({ name }) => name).sort());
  });

  it.each(Object.entries(WRITING_OPERATIONS))('%s writes nothing the second time', async (name, operation) => {
    const { pool } = api.database;
    const { merchantId, ...client } = await insertClient(api.database);
    const merchant = new Merchant(await ApiClient.login(api.url, client.id, client.secret));
    const { path, body, headers } = await operation.prepare({ merchant, client, pool });
    const send = async () =>
      (await served(() => merchant.api.request(name.split(' ')[0]!, path, body, headers))).status;
    const state = () => stateOf(pool, merchantId);

    const before = operation.repeat === 'reads' ? await state() : undefined;
    expect(await send()).toBeLessThan(300);
    const after = await state();
    expect([200, 201, 202, 204, 404, 409]).toContain(await send());
    const afterRepeat = await state();
    if (before) expect(after).toEqual(before);
    if (operation.repeat === 'another') expect(afterRepeat.length).toBeGreaterThan(after.length);
    else expect(withoutRecords(afterRepeat)).toEqual(withoutRecords(after));
  });
});
