import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ListedCharge } from '@payment-orchestrator/provider-kit';
import type { StripeProvider } from '@payment-orchestrator/provider-stripe';
import {
  chargeRequest,
  CREDENTIALS,
  operationOn,
  SECRET_KEY,
  soon,
  startStripe,
} from '../../support/providers/stripe-requests.js';
import type { FakeStripe } from '../../support/servers/fake-stripe.js';

const ACCOUNT = { shopId: 1, credentials: CREDENTIALS };
const PAGE = 100;

describe("Stripe's list of charges", () => {
  let fake: FakeStripe;
  let provider: StripeProvider;
  let stop: () => Promise<void>;

  beforeEach(async () => {
    ({ fake, provider, stop } = await startStripe());
  });
  afterEach(() => stop());

  async function listAll(since: Date): Promise<ListedCharge[]> {
    const charges: ListedCharge[] = [];
    for (let after: string | null | undefined = null; after !== undefined;) {
      const page = await provider.listCharges(ACCOUNT, since, after, soon());
      charges.push(...page.charges);
      after = page.next ?? undefined;
    }
    return charges;
  }

  it('returns the status of each charge in our terms', async () => {
    const kept = chargeRequest({ paymentId: 41, amount: '12.30' });
    const returned = chargeRequest({ paymentId: 42 });
    await provider.charge(kept, soon());
    const answer = await provider.charge(returned, soon());
    await provider.refund({ ...operationOn(returned, answer), reason: undefined }, soon());
    expect(await listAll(new Date(0))).toMatchObject([
      { reference: returned.reference, paymentId: 42, status: 'refunded' },
      { reference: kept.reference, paymentId: 41, status: 'captured', amount: '12.3', currency: 'EUR' },
    ]);
  });

  it('returns all pages', async () => {
    const { ledger } = fake.account(SECRET_KEY);
    for (let count = 0; count < 2 * PAGE + 2; count++) ledger.createIntent({ amount: '100', currency: 'eur' });
    const ids = (await listAll(new Date(0))).map(({ transactionId }) => transactionId);
    expect(new Set(ids).size).toBe(2 * PAGE + 2);
    expect(ids).toHaveLength(2 * PAGE + 2);
  });

  it('omits older charges', async () => {
    expect(await listAll(new Date(Date.now() + 60_000))).toEqual([]);
  });

  it('returns a charge without our reference as not ours', async () => {
    fake.account(SECRET_KEY).ledger.createIntent({ amount: '100', currency: 'eur' });
    const { reference, paymentId } = (await listAll(new Date(0)))[0]!;
    expect([reference, paymentId]).toEqual([null, null]);
  });
});
