import assert from 'node:assert/strict';
import type { ChargeRequest } from '../../payment-provider.js';
import { eventually, holds, isDone } from '../assertions.js';
import { isChange } from '../calls.js';
import { type Situation, under, Unexpected } from '../finding.js';
import type { ProviderFixture } from '../fixture.js';
import { begin, type Begun, canEndAs, capabilitiesOf, operationOn, parsedOf, soon, stateOf } from '../steps.js';

interface Money {
  currency: string;
  amount: string;
}

/** Amounts that binary fractions, lost zeros or another number of places change. */
const AMOUNTS: readonly Money[] = [
  ...['0.59', '1.10', '4.35', '19.99', '64.1', '100', '1234.50', '123456.78'].map((amount) => ({
    currency: 'EUR',
    amount,
  })),
  ...['500', '51', '1234567'].map((amount) => ({ currency: 'JPY', amount })),
  ...['5.120', '1.010', '19.990'].map((amount) => ({ currency: 'KWD', amount })),
];
/** Amounts that the currency does not have. */
const TOO_FINE: readonly Money[] = [
  { currency: 'EUR', amount: '10.005' },
  { currency: 'JPY', amount: '500.5' },
  { currency: 'KWD', amount: '5.1234' },
];
/** One of 0, 2 and 3 decimals each, with a part of it. */
const KINDS = [
  { currency: 'JPY', amount: '500', part: '200' },
  { currency: 'EUR', amount: '19.99', part: '4.35' },
  { currency: 'KWD', amount: '19.990', part: '4.350' },
];

const accepts = (fixture: ProviderFixture, currency: string): boolean =>
  capabilitiesOf(fixture).currencies?.includes(currency) !== false;
const inUnits = (amount: string): string => String(Number(amount));
const shown = ({ currency, amount }: Money): string => `${amount} ${currency}`;

function isSame(actual: unknown, expected: string, where: string): void {
  if (typeof actual !== 'string' || Number(actual) !== Number(expected)) throw new Unexpected(expected, actual, where);
}

const fits = async (fixture: ProviderFixture, begun: Begun, money: Money): Promise<void> => {
  await holds(fixture, begun.request, [
    { status: 'captured', amount: inUnits(money.amount), currency: money.currency },
  ]);
  const state = await stateOf(fixture, begun);
  if (!state || !('amount' in state)) return;
  isSame(state.amount, money.amount, `the look-up of a charge of ${shown(money)}`);
  if (state.capturedAmount !== undefined)
    isSame(state.capturedAmount, money.amount, `capturedAmount of ${shown(money)}`);
  assert.equal(state.currency, money.currency);
};

export const MONEY: Situation[] = under('amounts', {
  'amounts of 0, 2 and 3 decimals go to the provider and come back in look-ups': async (fixture) => {
    for (const money of AMOUNTS.filter(({ currency }) => accepts(fixture, currency))) {
      const begun = await begin(fixture, 'approved', money);
      if (begun.answer.outcome !== 'approved') throw new Unexpected('approved', begun.answer, shown(money));
      await fits(fixture, begun, money);
    }
  },

  'amounts of 0, 2 and 3 decimals are captured, refunded and looked up in parts': async (fixture) => {
    const { partialCapture, partialRefund } = capabilitiesOf(fixture);
    for (const { currency, amount, part } of KINDS.filter((kind) => accepts(fixture, kind.currency))) {
      const where = shown({ currency, amount: part });
      if (partialRefund) {
        const begun = await begin(fixture, 'approved', { currency, amount });
        isDone(await fixture.provider.refund({ ...operationOn(begun), amount: part }, soon()));
        await eventually(async () => {
          const state = await stateOf(fixture, begun);
          if (state && 'refundedAmount' in state) isSame(state.refundedAmount, part, `refundedAmount of ${where}`);
          await hasSum(fixture, begun.request, 'refunded', part);
        });
      }
      if (!partialCapture) continue;
      const begun = await begin(fixture, 'approved', { currency, amount, capture: 'manual' });
      const operation = { ...operationOn(begun), amount: part, authorizedAmount: amount };
      isDone(await fixture.provider.capture!(operation, soon()));
      await eventually(async () => {
        const state = await stateOf(fixture, begun);
        if (state && 'capturedAmount' in state) isSame(state.capturedAmount, part, `capturedAmount of ${where}`);
        await hasSum(fixture, begun.request, 'captured', part);
      });
    }
  },

  'amounts of 0, 2 and 3 decimals come in notifications': async (fixture) => {
    for (const { currency, amount, part } of KINDS.filter((kind) => accepts(fixture, kind.currency))) {
      const begun = await begin(fixture, 'approved', { currency, amount });
      const { partialRefund } = capabilitiesOf(fixture);
      const refunded = partialRefund ? part : amount;
      isDone(await fixture.provider.refund({ ...operationOn(begun), amount: refunded }, soon()));
      await holds(fixture, begun.request, [{ status: partialRefund ? 'captured' : 'refunded' }]);
      await eventsHave(fixture, begun, ['completed', 'authorized'], { currency, amount });
      await eventsHave(fixture, begun, ['refunded', 'refund_pending'], { currency, amount: refunded });
      if (!fixture.dispute || !canEndAs(fixture, 'dispute')) continue;
      const disputed = await begin(fixture, 'approved', { currency, amount });
      const sent = await fixture.dispute(disputed.request, disputed.answer);
      for (const one of sent) {
        const { events } = await fixture.provider.parseNotification(one, fixture.credentials, soon());
        for (const { dispute } of events)
          if (dispute) isSame(dispute.amount, amount, `a dispute of ${shown({ currency, amount })}`);
      }
    }
  },

  'an amount with more decimals than the currency has is refused, not rounded': async (fixture) => {
    for (const money of TOO_FINE.filter(({ currency }) => accepts(fixture, currency))) {
      const from = fixture.wire?.exchanges.length ?? 0;
      const { answer, request } = await begin(fixture, 'approved', money);
      if (answer.outcome !== 'soft_declined' || answer.declineCode !== 'invalid_amount') {
        if (!fixture.wire) continue;
        throw new Unexpected('soft_declined, invalid_amount', answer, shown(money));
      }
      assert.deepEqual(await fixture.held(request.reference), []);
      if (fixture.wire?.exchanges.slice(from).some(isChange)) throw new Unexpected('no call', 'one', shown(money));
      const begun = await begin(fixture, 'approved', { currency: money.currency, amount: '600' });
      const refund = await fixture.provider.refund({ ...operationOn(begun), amount: money.amount }, soon());
      if (refund.outcome !== 'refused') throw new Unexpected('refused', refund, `a refund of ${shown(money)}`);
      await holds(fixture, begun.request, [{ status: 'captured' }]);
    }
  },

  'a currency that the provider does not accept is refused without a call': async (fixture) => {
    const { currencies } = capabilitiesOf(fixture);
    if (!currencies) return;
    if (currencies.some((one) => !/^[A-Z]{3}$/.test(one))) throw new Unexpected('codes of ISO 4217', currencies);
    const from = fixture.wire?.exchanges.length ?? 0;
    const { answer } = await begin(fixture, 'approved', { currency: 'XTS', amount: '100.10' });
    if (answer.outcome !== 'soft_declined' || answer.declineCode !== 'currency_not_supported')
      throw new Unexpected('soft_declined, currency_not_supported', answer, '100.10 XTS');
    if (fixture.wire?.exchanges.slice(from).some(isChange)) throw new Unexpected('no call', 'one', '100.10 XTS');
  },
});

async function hasSum(
  fixture: ProviderFixture,
  { reference }: ChargeRequest,
  name: 'captured' | 'refunded',
  sum: string,
) {
  const [held] = await fixture.held(reference);
  if (held?.[name] !== undefined) isSame(held[name], sum, `the books, ${name}`);
}

/** Each event of these statuses has the amount, as far as events report it. */
async function eventsHave(
  fixture: ProviderFixture,
  { request }: Begun,
  statuses: readonly string[],
  money: Money,
): Promise<void> {
  const events = (await parsedOf(fixture, request.reference)).flatMap((parsed) => parsed.events);
  for (const event of events.filter(({ status }) => statuses.includes(status))) {
    if (event.amount !== undefined) isSame(event.amount, money.amount, `an event ${event.status} of ${shown(money)}`);
    if (event.currency !== undefined && event.currency !== money.currency)
      throw new Unexpected(money.currency, event.currency, `an event ${event.status} of ${shown(money)}`);
  }
}
