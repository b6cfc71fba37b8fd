import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ProviderHttp } from '../../src/providers/connectors/connector-context.js';
import { StripeProvider } from '@payment-orchestrator/provider-stripe';
import { eventually } from '../support/eventually.js';
import { connectorContext } from '../support/providers/connector-context.js';
import { chargeRequest, CREDENTIALS, operationOn, soon } from '../support/providers/stripe-requests.js';
import { freePort } from '../support/servers/free-port.mjs';
import { installedStripeMock } from '../support/servers/stripe-mock.mjs';

type Fields = Parameters<typeof chargeRequest>[0];
type Call = (provider: StripeProvider) => Promise<unknown>;

const RETURN_URL = 'https://shop.example/back';
const SAVED = { token: 'cus_123/pm_card_visa' };
const charge =
  (fields?: Fields): Call =>
  (provider) =>
    provider.charge(chargeRequest(fields), soon());
const made = () => operationOn(chargeRequest(), { transactionId: 'pi_123' });
const lost = () => operationOn(chargeRequest());

/** Every call of the connector, with the requests that Stripe gets. */
const CALLS: readonly [name: string, call: Call, requests: string[]][] = [
  ['charge without a return address', charge(), ['POST /v1/payment_intents']],
  ['charge with a redirect', charge({ returnUrl: RETURN_URL }), ['POST /v1/payment_intents']],
  [
    'charge for Stripe.js',
    charge({ paymentMethod: { token: 'pm_card_visa', nextActionType: 'provider_action' } }),
    ['POST /v1/payment_intents'],
  ],
  ['charge to capture later', charge({ capture: 'manual', returnUrl: RETURN_URL }), ['POST /v1/payment_intents']],
  [
    'charge that saves',
    charge({ save: true, returnUrl: RETURN_URL }),
    ['POST /v1/customers', 'POST /v1/payment_intents'],
  ],
  ['charge that saves for a Customer', charge({ save: true, paymentMethod: SAVED }), ['POST /v1/payment_intents']],
  ['charge of a saved method', charge({ paymentMethod: SAVED, initiator: 'customer' }), ['POST /v1/payment_intents']],
  ['charge without the payer', charge({ paymentMethod: SAVED, initiator: 'merchant' }), ['POST /v1/payment_intents']],
  [
    'charge without the payer, to capture later',
    charge({ paymentMethod: SAVED, initiator: 'merchant', capture: 'manual' }),
    ['POST /v1/payment_intents'],
  ],
  ['charge in yen', charge({ amount: '500', currency: 'JPY' }), ['POST /v1/payment_intents']],
  ['charge in dinars', charge({ amount: '5.120', currency: 'KWD' }), ['POST /v1/payment_intents']],
  [
    'the payer has acted',
    (provider) => provider.completeAction({ ...made(), capture: 'automatic' }, {}, soon()),
    ['GET /v1/payment_intents/pi_123'],
  ],
  ['look-up by id', (provider) => provider.lookup(made(), soon()), ['GET /v1/payment_intents/pi_123']],
  [
    'look-up by reference',
    (provider) => provider.lookup(lost(), soon()),
    ['GET /v1/payment_intents/search', 'GET /v1/payment_intents/:id'],
  ],
  [
    'capture of a part',
    (provider) => provider.capture({ ...made(), amount: '4', authorizedAmount: '100.10' }, soon()),
    ['POST /v1/payment_intents/pi_123/capture'],
  ],
  ['void by id', (provider) => provider.void(made(), soon()), ['POST /v1/payment_intents/pi_123/cancel']],
  [
    'void without an id',
    (provider) => provider.void(lost(), soon()),
    [
      'GET /v1/payment_intents/search',
      'GET /v1/payment_intents/:id',
      'POST /v1/payment_intents',
      'POST /v1/payment_intents/:id/cancel',
    ],
  ],
  ['refund', (provider) => provider.refund({ ...made(), reason: 'broken' }, soon()), ['POST /v1/refunds']],
  [
    'refund of the rest',
    (provider) => provider.refund({ ...made(), reason: undefined, isRest: true }, soon()),
    ['POST /v1/refunds'],
  ],
  [
    'look-up of a refund by id',
    (provider) => provider.lookupOperation({ ...made(), kind: 'refund', operationId: 're_123' }, soon()),
    ['GET /v1/refunds/re_123'],
  ],
  [
    'look-up of a refund by key',
    (provider) => provider.lookupOperation({ ...made(), kind: 'refund', operationId: null }, soon()),
    ['GET /v1/refunds'],
  ],
  [
    'list of charges',
    (provider) => provider.listCharges({ credentials: CREDENTIALS }, new Date(), null, soon()),
    ['GET /v1/payment_intents'],
  ],
  [
    'next page of the list',
    (provider) => provider.listCharges({ credentials: CREDENTIALS }, new Date(), 'pi_123', soon()),
    ['GET /v1/payment_intents'],
  ],
  ['check of credentials', (provider) => provider.checkCredentials(CREDENTIALS, soon()), ['GET /v1/payment_intents']],
  ['id of the account', (provider) => provider.accountId(CREDENTIALS, soon()), ['GET /v1/account']],
  [
    'reference of an intent',
    (provider) => provider.findReference('pi_123', { credentials: CREDENTIALS }, soon()),
    ['GET /v1/payment_intents/pi_123'],
  ],
  [
    'removal of a saved method',
    (provider) => provider.detach({ token: 'cus_123/pm_123', credentials: CREDENTIALS }, soon()),
    ['POST /v1/payment_methods/pm_123/detach'],
  ],
];

/** Answers 200 only to requests that Stripe's OpenAPI document allows. Its answers are examples, regardless of the request. */
describe("Stripe's official mock", () => {
  const http = new ProviderHttp();
  let mock: ChildProcess;
  let provider: StripeProvider;
  let sent: { request: string; status: number }[] = [];

  beforeAll(async () => {
    const address = `127.0.0.1:${await freePort()}`;
    mock = spawn(installedStripeMock(), ['-http-addr', address], { stdio: 'ignore' });
    const base = `http://${address}`;
    await eventually(() => fetch(base));
    const call: ProviderHttp['call'] = async (request, signal) => {
      const answer = await http.call(request, signal);
      const path = request.url.pathname.replace(/\/pi_(?!123\b)\w+/, '/:id');
      sent.push({ request: `${request.method} ${path}`, status: answer.statusCode });
      return answer;
    };
    provider = new StripeProvider(connectorContext({ call }, { STRIPE_API_BASE: base }));
  });
  beforeEach(() => {
    sent = [];
  });
  afterAll(async () => {
    await http.onApplicationShutdown();
    const ended = once(mock, 'exit');
    mock.kill('SIGKILL');
    await ended;
  });

  it.each(CALLS)('accepts: %s', async (_name, call, requests) => {
    await call(provider).catch(() => undefined);
    expect(sent.filter(({ status }) => status !== 200)).toEqual([]);
    expect(sent.map(({ request }) => request)).toEqual(requests);
  });

  it('refuses what Stripe does not know', async () => {
    const charge = provider.charge(chargeRequest({ capture: 'later' as 'manual' }), soon());
    expect(await charge).toMatchObject({ outcome: 'soft_declined', declineCode: 'request_refused' });
    expect(sent).toMatchObject([{ status: 400 }]);
  });

  it('stripe-mock gives the answers that the connector expects', async () => {
    expect(await provider.checkCredentials(CREDENTIALS, soon())).toEqual({ outcome: 'accepted' });
    expect(await provider.accountId(CREDENTIALS, soon())).toMatch(/^acct_/);
    const removed = provider.detach({ token: 'pm_123', credentials: CREDENTIALS }, soon());
    expect(await removed).toEqual({ outcome: 'confirmed' });
    expect(await provider.refund({ ...made(), reason: undefined }, soon())).toMatchObject({ outcome: 'confirmed' });
  });
});
