import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ChargeRequest } from '@payment-orchestrator/provider-kit';
import type { ProviderFixture } from '@payment-orchestrator/provider-kit/testing';
import { type ApiDocument, matchesDocument } from '@payment-orchestrator/provider-kit/testing/openapi';
import { stripeFixture } from '../support/providers/stripe-fixture.js';
import { soon } from '../support/providers/stripe-requests.js';
import { STRIPE_MOCK_MODULE } from '../support/servers/stripe-mock.mjs';

/** Stripe's OpenAPI document, which the module of its official mock has. */
function stripeDocument(): ApiDocument {
  const asked = execFileSync('go', ['mod', 'download', '-json', STRIPE_MOCK_MODULE], { encoding: 'utf8' });
  const { Dir: folder } = JSON.parse(asked) as { Dir: string };
  return JSON.parse(readFileSync(join(folder, 'embedded/openapi/spec3.json'), 'utf8')) as ApiDocument;
}

let fixture: ProviderFixture;
beforeAll(async () => {
  fixture = await stripeFixture();
});
afterAll(() => fixture.stop());

it('requests of the connector are those of Stripe’s own document', async () => {
  const { provider, credentials } = fixture;
  const charge = async (fields?: Partial<ChargeRequest>) => {
    const request = fixture.request('approved', fields);
    const { transactionId = null } = await provider.charge(request, soon());
    return {
      ...request,
      transactionId,
      idempotencyKey: randomUUID(),
      authorizedAmount: request.amount,
      reason: 'broken',
    };
  };
  await provider.charge(fixture.request('next_action'), soon());
  const captured = await charge({ capture: 'manual' });
  await provider.capture!({ ...captured, amount: '60.00' }, soon());
  await provider.void({ ...(await charge({ capture: 'manual' })), chargeIdempotencyKey: null }, soon());
  const paid = await charge({ save: true });
  await provider.refund({ ...paid, amount: '40.00' }, soon());
  await provider.lookup!(paid, soon());
  await provider.lookupOperation!({ ...paid, kind: 'refund', operationId: null }, soon());
  await provider.listCharges!({ shopId: 1, credentials }, new Date(), null, soon());
  await provider.checkCredentials(credentials, soon());

  const { exchanges } = fixture.wire!;
  expect(exchanges.length).toBeGreaterThan(10);
  const document = stripeDocument();
  expect(matchesDocument(exchanges, document).filter(({ part }) => part === 'request')).toEqual([]);
  const [first] = exchanges;
  const unknown = { ...first!, request: { ...first!.request, body: `${first!.request.body}&no_such=1` } };
  expect(matchesDocument([unknown], document)).toContainEqual(
    expect.objectContaining({ fault: 'body.no_such is unknown' }),
  );
});
