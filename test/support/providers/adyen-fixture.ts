import type { SignedRequest } from '@payment-orchestrator/provider-kit';
import {
  type PlayedAnswer,
  type ProviderFixture,
  systemContext,
  type WantedOutcome,
} from '@payment-orchestrator/provider-kit/testing';
import { AdyenProvider } from '@payment-orchestrator/provider-adyen';
import { parseSignedJson } from '../../../src/platform/http/body/json-body.js';
import { type FakeItem, signItems } from '../servers/adyen/adyen-webhooks.js';
import { FakeAdyen } from '../servers/fake-adyen.js';
import {
  ADYEN_CREDENTIALS,
  adyenCharge,
  card,
  CHALLENGED,
  collected,
  handleAction,
  HMAC_KEY,
  MERCHANT_ACCOUNT,
} from './adyen-requests.js';
import { heldIn, received, RETURN_URL } from './fixture-parts.js';

const OTHER = {
  api_key: 'AQEyhmfxK4PKbhZAw0m_other_key_of_nobody',
  merchant_account: 'OtherECOM',
  environment: 'test',
  hmac_key: HMAC_KEY.split('').reverse().join(''),
};
const METHODS: Readonly<Record<WantedOutcome, string>> = {
  approved: 'AUTHORISED',
  declined: 'EXPIRED',
  soft_declined: 'ACQUIRERERROR',
  processing: 'PENDING',
  next_action: 'REDIRECT',
};

const error = (status: number, errorCode: string, errorType = 'validation'): PlayedAnswer => ({
  status,
  body: { status, errorCode, errorType, message: 'Adyen does not do this.' },
});
const CUSTOMER = { id: 7, email: null, firstName: null, lastName: null };
const stored = (method: string) => ({ paymentMethod: { token: `shopper-1/${method}` } });

export async function adyenFixture(): Promise<ProviderFixture> {
  const fake = await FakeAdyen.start();
  const { context, wire, close } = systemContext({ ADYEN_API_BASE: fake.url });
  const create = () => new AdyenProvider({ ...context, parseJson: parseSignedJson });
  const account = fake.account(MERCHANT_ACCOUNT);
  const { ledger, webhooks } = account;
  const about = (references: readonly string[]) =>
    webhooks.all.filter(({ merchantReference }) => references.includes(merchantReference));
  const found = (reference: string) => ledger.payments.findLast((payment) => payment.reference === reference)!;
  return {
    provider: create(),
    wire,
    another: create,
    credentials: ADYEN_CREDENTIALS,
    secondAccount: { credentials: OTHER, held: heldIn(fake.account(OTHER.merchant_account)) },
    revoked: { ...ADYEN_CREDENTIALS, api_key: 'AQEyhmfxK4PKbhZAw0m_revoked_key' },
    answers: {
      key_in_use: { ...error(422, '704'), headers: { 'transient-error': 'true' } },
      rate_limit: error(429, '', 'internal'),
      permission: error(403, '010', 'security'),
      wrong_credentials: error(401, '000', 'security'),
      refused_request: error(422, '14_030'),
      refused_state: error(422, '167'),
      unusable_method: error(422, '803'),
      not_found: error(404, '800'),
      outage: error(500, '702', 'internal'),
    },
    // a cancel of an unknown reference has no effect
    blocksUnknown: false,
    request: (wanted, fields) => adyenCharge(METHODS[wanted], { returnUrl: RETURN_URL, ...fields }),
    held: heldIn(account),
    settle: ({ reference }) => Promise.resolve(ledger.settle(reference, 'authorised')),
    savable: { paymentMethod: { data: collected(card()) }, customer: CUSTOMER },
    pageActions: {
      fields: { paymentMethod: { data: collected(card({ number: CHALLENGED })) } },
      approve: (answer) => handleAction(fake, answer, 'approve'),
    },
    notifications: (reference) =>
      Promise.resolve(about([reference]).map((item) => received(signItems([item], HMAC_KEY)))),
    sign: (body, signer) =>
      received(signedBody(body, { this_shop: HMAC_KEY, another_key: OTHER.hmac_key, no_one: undefined }[signer])),
    later: {
      charge_declined: { play: ({ request }) => ledger.settle(request.reference, 'refused') },
      refund_declined: { fields: stored('REFUNDFAILS') },
      capture_declined: { fields: stored('CAPTUREFAILS') },
      // too late: Adyen accepts the cancellation of any payment
      void_declined: { fields: { capture: 'automatic' } },
      lapse: { play: ({ request }) => ledger.expire(found(request.reference)) },
    },
    dispute({ reference }, { transactionId }) {
      const pspReference = ledger.dispute(ledger.find(transactionId!), 'CHARGEBACK');
      const items = about([reference]).filter((item) => item.pspReference === pspReference);
      return Promise.resolve(items.map((item) => received(signItems([item], HMAC_KEY))));
    },
    batch: (references) => Promise.resolve(received(signItems(about(references), HMAC_KEY))),
    async stop() {
      await close();
      await fake.close();
    },
  };
}

/** Signs the items of a body, which hold the signatures; another body as it is. */
function signedBody(body: string, key: string | undefined): SignedRequest {
  const plain = { rawBody: Buffer.from(body), headers: {} };
  const items = itemsOf(body);
  if (items === undefined) return plain;
  const unsigned = items.map(({ additionalData: { hmacSignature: _, ...additionalData }, ...item }) => ({
    ...item,
    additionalData,
  }));
  if (key !== undefined) return signItems(unsigned, key);
  const notificationItems = unsigned.map((item) => ({ NotificationRequestItem: item }));
  return { ...plain, rawBody: Buffer.from(JSON.stringify({ live: 'false', notificationItems })) };
}

function itemsOf(body: string): FakeItem[] | undefined {
  try {
    const { notificationItems } = JSON.parse(body) as { notificationItems: { NotificationRequestItem: FakeItem }[] };
    const items = notificationItems.map((one) => one.NotificationRequestItem);
    return items.every(({ additionalData }) => typeof additionalData === 'object') ? items : undefined;
  } catch {
    return undefined;
  }
}
