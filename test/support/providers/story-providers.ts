import type { PaymentAnswer } from '../app/merchant.js';
import { FakeAdyen } from '../servers/fake-adyen.js';
import { FakeStripe } from '../servers/fake-stripe.js';
import { ADYEN_CREDENTIALS, HMAC_KEY, MERCHANT_ACCOUNT } from './adyen-requests.js';
import { CREDENTIALS, SECRET_KEY, WEBHOOK_SECRET } from './stripe-requests.js';

/** The service's address on the internet, to which payers return. */
export const PUBLIC_URL = 'https://pay.example/api';

/** A fake provider as the story of one payment uses it. Amounts are minor units. */
export interface StoryProvider {
  fake: FakeAdyen | FakeStripe;
  setting: 'ADYEN_API_BASE' | 'STRIPE_API_BASE';
  credentials: Record<string, string>;
  /** A card whose issuer asks the payer. */
  threeDSecureToken: string;
  /** Captures and refunds have their outcome in the answer; otherwise only a notification has it. */
  answersAtOnce: boolean;
  /** The provider lists its charges for the reconciliation. */
  listsCharges: boolean;
  notify(url: string): void;
  /** Holds notifications until `release`. */
  hold(): void;
  release(): Promise<unknown>;
  /** The provider's ids of refunds. */
  refundIds(): string[];
  /** Returns the provider's id of the dispute. */
  openDispute(payment: PaymentAnswer, amount: number, dueBy: Date): string;
  /** The merchant submits evidence. */
  defend(): void;
  lose(): void;
}

export async function stripeStory(): Promise<StoryProvider> {
  const fake = await FakeStripe.start();
  const { ledger, events } = fake.account(SECRET_KEY);
  let dispute = '';
  return {
    fake,
    setting: 'STRIPE_API_BASE',
    credentials: CREDENTIALS,
    threeDSecureToken: 'pm_card_threeDSecure2Required',
    answersAtOnce: true,
    listsCharges: true,
    notify: (url) => (events.endpoint = { url, secret: WEBHOOK_SECRET }),
    hold: () => (events.held = true),
    release: () => events.release(),
    refundIds: () => [...ledger.refunds.keys()],
    openDispute: ({ provider_transaction_id: id }, amount, dueBy) => {
      const charge = ledger.charges.get(ledger.intent(id).latest_charge ?? '');
      if (!charge) throw new Error(`${id} has no charge`);
      dispute = ledger.disputes.open(charge, { amount, dueBy: dueBy.getTime() / 1_000 }).id;
      return dispute;
    },
    defend: () => ledger.disputes.submitEvidence(dispute),
    lose: () => ledger.disputes.close(dispute, 'lost'),
  };
}

export async function adyenStory(): Promise<StoryProvider> {
  const fake = await FakeAdyen.start();
  const { ledger, webhooks } = fake.account(MERCHANT_ACCOUNT);
  let report = (_eventCode: string, _status: string): void => undefined;
  return {
    fake,
    setting: 'ADYEN_API_BASE',
    credentials: ADYEN_CREDENTIALS,
    threeDSecureToken: 'shopper-1/REDIRECT',
    answersAtOnce: false,
    listsCharges: false,
    notify: (url) => (webhooks.endpoint = { url, hmacKey: HMAC_KEY }),
    hold: () => (webhooks.held = true),
    release: () => webhooks.release(),
    refundIds: () =>
      webhooks.all.filter(({ eventCode }) => eventCode === 'REFUND').map(({ pspReference }) => pspReference),
    openDispute: (_, value, dueBy) => {
      const [payment] = ledger.payments;
      const amount = { value, currency: 'EUR' };
      const defensePeriodEndsAt = dueBy.toISOString();
      const additionalData = { disputeStatus: 'Undefended', defensePeriodEndsAt };
      const pspReference = ledger.dispute(payment!, 'NOTIFICATION_OF_CHARGEBACK', { amount, additionalData });
      ledger.dispute(payment!, 'CHARGEBACK', { pspReference, amount, additionalData });
      report = (eventCode, disputeStatus) =>
        void ledger.dispute(payment!, eventCode, { pspReference, amount, additionalData: { disputeStatus } });
      return pspReference;
    },
    defend: () => report('INFORMATION_SUPPLIED', 'Pending'),
    lose: () => {
      report('CHARGEBACK_REVERSED', 'Pending');
      report('SECOND_CHARGEBACK', 'Lost');
    },
  };
}
