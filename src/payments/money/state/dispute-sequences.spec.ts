import { describe, expect, it } from '@jest/globals';
import type { ProviderEvent } from '@payment-orchestrator/provider-kit';
import { type FakeItem, signItems } from '../../../../test/support/servers/adyen/adyen-webhooks.js';
import { signEvent } from '../../../../test/support/servers/stripe/stripe-events.js';
import { parseAdyenNotification } from '../../../../packages/provider-adyen/src/notification.js';
import { parseStripeNotification } from '../../../../packages/provider-stripe/src/notification.js';
import { parseSignedJson } from '../../../platform/http/body/json-body.js';
import { reportOf, storedReport } from '../../store/dispute.js';
import { disputeAfter, type DisputeReport, type DisputeState } from './dispute.js';

/** Its name, what it ends as, and its steps by the provider's documentation, separated by commas. */
type Sequence = [name: string, end: string, steps: string];

/** The event that a step stands for, as the connector reads it. */
type Reader = (step: string, second: number, disputeId: string) => Promise<ProviderEvent>;

const START = 1_795_000_000;
const DAY = 86_400;
const DUE = START + 9 * DAY;

/** All orders of the items, without a repeat and with each item repeated at each later place. */
const ordersOf = <Item>(items: readonly Item[]): Item[][] =>
  permutations(items).flatMap((order) => [
    order,
    ...order.flatMap((item, at) => order.slice(at).map((_, later) => order.toSpliced(at + later + 1, 0, item))),
  ]);

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

/** The disputes after reports in the order of their arrival, by id. */
function disputesAfter(reports: DisputeReport[]): Record<string, DisputeState> {
  const states: Record<string, DisputeState> = {};
  for (const report of reports)
    states[report.dispute.id] = disputeAfter(states[report.dispute.id] ?? null, report).state;
  return states;
}

/** The reports of notifications as the inbox makes them, and as it reads those that have waited. */
const reportsOf = (events: ProviderEvent[]): DisputeReport[] =>
  events
    .filter(({ dispute }) => dispute !== undefined)
    .map(({ dispute, occurredAt }) => reportOf(dispute!, occurredAt!))
    .map((report) => storedReport(JSON.parse(JSON.stringify(report))));

const endOf = ({ kind, status }: DisputeState): string => `${kind} ${status}`;

/** The events of steps, `apart` seconds from one another. */
async function eventsOf(read: Reader, steps: string, apart: number, id = 'du_1'): Promise<ProviderEvent[]> {
  const events: ProviderEvent[] = [];
  for (const [index, step] of steps.split(', ').entries()) events.push(await read(step, START + index * apart, id));
  return events;
}

/** Ends in the state that the documentation says, in all orders. */
async function endsAlike(read: Reader, [, end, steps]: Sequence, apart: number): Promise<void> {
  const reports = reportsOf(await eventsOf(read, steps, apart));
  const { du_1: inOrder } = disputesAfter(reports);
  expect(endOf(inOrder!)).toBe(end);
  expect(inOrder).toMatchObject({ amount: '49.9', currency: 'EUR', reason_code: expect.any(String) });
  const text = JSON.stringify(inOrder);
  for (const order of ordersOf(reports)) {
    const { du_1: dispute } = disputesAfter(order);
    // comparing texts is fast: there are thousands of orders
    if (JSON.stringify(dispute) !== text) expect({ order, dispute }).toEqual({ order, dispute: inOrder });
  }
}

/** Two disputes of one payment do not touch each other. */
async function staysApart(read: Reader, one: string, other: string, ends: string[]): Promise<void> {
  const events = [...(await eventsOf(read, one, 1)), ...(await eventsOf(read, other, 1, 'du_2'))];
  expect(new Set(events.map(({ match }) => match.transactionId)).size).toBe(1);
  for (const order of permutations(reportsOf(events))) {
    const { du_1: first, du_2: second } = disputesAfter(order);
    expect([endOf(first!), endOf(second!)]).toEqual(ends);
  }
}

const SECRET = 'whsec_0123456789';
const unanswered = (dueBy: number) => ({ evidence_details: { due_by: dueBy, submission_count: 0 } });
/** Fields of a dispute at Stripe by the third word of a step. */
const FIELDS: Readonly<Record<string, object>> = {
  inquiry: { payment_method_details: { type: 'card', card: { case_type: 'inquiry' } } },
  appealed: { evidence: { appeal: { card: {} } } },
  unanswered: unanswered(START - DAY),
  accepted: unanswered(DUE),
};

/** A step is the type, the status, and maybe the name of fields. */
const readStripe: Reader = async (step, second, id) => {
  const [type, status, fields = ''] = step.split(' ');
  const dispute = {
    ...{ id, object: 'dispute', amount: 4990, currency: 'eur', payment_intent: 'pi_1', status, reason: 'fraudulent' },
    ...{ created: START, evidence: {}, evidence_details: { due_by: DUE, submission_count: 1 } },
    payment_method_details: { type: 'card', card: { case_type: 'chargeback', network_reason_code: '10.4' } },
    ...FIELDS[fields],
  };
  const event = { id: `evt_${type}`, object: 'event', type: `charge.dispute.${type}`, created: second };
  const signed = signEvent({ ...event, data: { object: dispute } }, SECRET, second + 60);
  const context = {
    parseJson: parseSignedJson,
    now: new Date((second + 60) * 1_000),
    retrieve: () => Promise.resolve(undefined),
  };
  return (await parseStripeNotification(signed, SECRET, context)).events[0]!;
};

const OPENED = 'created needs_response, funds_withdrawn needs_response';
const ASKED = 'created warning_needs_response inquiry';

/**
 * https://docs.stripe.com/disputes/how-disputes-work, https://docs.stripe.com/api/disputes/object,
 * https://docs.stripe.com/api/events/types, https://github.com/Automattic/woocommerce-payments/issues/4931
 */
const STRIPE: Sequence[] = [
  ['won', 'chargeback won', `${OPENED}, updated under_review, closed won, funds_reinstated won`],
  ['won, the money first', 'chargeback won', `${OPENED}, updated under_review, funds_reinstated won, closed won`],
  ['lost', 'chargeback lost', `${OPENED}, updated under_review, closed lost`],
  ['not answered', 'chargeback lost', `${OPENED}, closed lost unanswered`],
  ['accepted', 'chargeback accepted', `${OPENED}, closed lost accepted`],
  ['prevented', 'chargeback accepted', `${OPENED}, closed prevented`],
  ['lost, then won', 'chargeback won', `${OPENED}, closed lost, funds_reinstated won, closed won`],
  ['lost, then updated to won', 'chargeback won', `${OPENED}, closed lost, updated won, closed won`],
  ['lost, with money back', 'chargeback lost', `${OPENED}, closed lost, funds_reinstated lost`],
  ['an inquiry', 'inquiry won', `${ASKED}, updated warning_under_review inquiry, closed warning_closed inquiry`],
  [
    'an inquiry, then a chargeback',
    'chargeback lost',
    `${ASKED}, updated needs_response, funds_withdrawn needs_response, updated under_review, closed lost`,
  ],
  [
    'an inquiry that ended, then a chargeback',
    'chargeback open',
    `${ASKED}, closed warning_closed inquiry, updated needs_response, funds_withdrawn needs_response`,
  ],
  ['may be appealed', 'pre_arbitration open', `${OPENED}, updated under_review, updated appeal_needs_response`],
  ['not appealed', 'pre_arbitration lost', `${OPENED}, updated appeal_needs_response, closed lost`],
  [
    'appealed and won',
    'pre_arbitration won',
    'updated under_review, updated appeal_needs_response, updated appeal_under_review appealed, ' +
      'closed won appealed, funds_reinstated won appealed',
  ],
];

const HMAC_KEY = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056';
const CODES = {
  ...{ chargebackReasonCode: '10.4', chargebackSchemeCode: 'visa' },
  defensePeriodEndsAt: '2026-12-01T00:00:00+01:00',
};
const DATA: Readonly<Record<string, Record<string, string>>> = {
  REQUEST_FOR_INFORMATION: { rfiReasonCode: '30', rfiSchemeCode: 'visa' },
  NOTIFICATION_OF_CHARGEBACK: CODES,
  DISPUTE_OPENED_WITH_CHARGEBACK: CODES,
  CHARGEBACK: CODES,
};

/** A step is the event code, and maybe `disputeStatus` or `autoDefended`. */
const readAdyen: Reader = async (step, second, id) => {
  const [eventCode = '', word] = step.split(' ');
  const status: Record<string, string> = word === undefined ? {} : { disputeStatus: word };
  const defended: Record<string, string> = word === 'autoDefended' ? { autoDefended: 'true' } : status;
  const item: FakeItem = {
    ...{ eventCode, pspReference: id, originalReference: 'NC6HT9CRT65ZGN82', merchantReference: '', reason: '' },
    ...{
      merchantAccountCode: 'Shop',
      paymentMethod: 'visa',
      success: 'true',
      amount: { value: 4990, currency: 'EUR' },
    },
    eventDate: new Date(second * 1_000).toISOString().replace('.000Z', '+00:00'),
    additionalData: { ...DATA[eventCode], ...defended },
  };
  const credentials = { merchant_account: 'Shop', hmac_key: HMAC_KEY };
  return (await parseAdyenNotification(signItems([item], HMAC_KEY), credentials, parseSignedJson)).events[0]!;
};

const RFI = 'REQUEST_FOR_INFORMATION Unresponded';
const NOTICE = 'NOTIFICATION_OF_CHARGEBACK Undefended';
const TAKEN = 'CHARGEBACK Undefended';
const DEFENDED = 'INFORMATION_SUPPLIED Pending';
const REVERSED = 'CHARGEBACK_REVERSED Pending';
const ENDED = 'DISPUTE_DEFENSE_PERIOD_ENDED';
const NOT_CONTESTED = 'ISSUER_RESPONSE_TIMEFRAME_EXPIRED Won';
const SECOND = 'SECOND_CHARGEBACK Lost';
const ARBITRATION = 'PREARBITRATION_DECLINED, SCHEME_ARBITRATION';

/**
 * https://docs.adyen.com/risk-management/disputes-api/dispute-notifications,
 * https://docs.adyen.com/risk-management/understanding-disputes/dispute-process-and-flow. In Brazil no event has a status.
 */
const ADYEN: Sequence[] = [
  ['reversed', 'chargeback under_review', `${NOTICE}, ${TAKEN}, ${DEFENDED}, ${REVERSED}`],
  ['won', 'chargeback won', `${NOTICE}, ${TAKEN}, ${DEFENDED}, ${REVERSED}, ${NOT_CONTESTED}`],
  ['defended early', 'chargeback under_review', `${NOTICE}, ${DEFENDED}, CHARGEBACK Pending`],
  [
    'defended early, in Brazil',
    'chargeback under_review',
    'NOTIFICATION_OF_CHARGEBACK, INFORMATION_SUPPLIED, CHARGEBACK',
  ],
  ['accepted early', 'chargeback accepted', `${NOTICE}, ${ENDED} Accepted, CHARGEBACK Accepted`],
  ['not defended, in Brazil', 'chargeback lost', `NOTIFICATION_OF_CHARGEBACK, ${ENDED}, CHARGEBACK`],
  [
    'defended by Adyen',
    'chargeback under_review',
    'NOTIFICATION_OF_CHARGEBACK autoDefended, CHARGEBACK, ISSUER_COMMENTS',
  ],
  ['no notice', 'chargeback lost', `DISPUTE_OPENED_WITH_CHARGEBACK, ${TAKEN}, ${ENDED} Lost`],
  ['information, given', 'inquiry under_review', `${RFI}, INFORMATION_SUPPLIED Responded`],
  ['information, not given', 'inquiry lost', `${RFI}, ${ENDED} Expired`],
  [
    'information, then a chargeback',
    'chargeback lost',
    `${RFI}, INFORMATION_SUPPLIED Responded, ${NOTICE}, ${TAKEN}, ${ENDED} Lost`,
  ],
  [
    'information, not given, then a chargeback',
    'chargeback open',
    `${RFI}, ${ENDED} Expired, NOTIFICATION_OF_CHARGEBACK`,
  ],
  ['a second chargeback', 'chargeback lost', `${NOTICE}, ${TAKEN}, ${DEFENDED}, ${REVERSED}, ${SECOND}`],
  [
    'a second chargeback, in Brazil',
    'chargeback lost',
    'CHARGEBACK, INFORMATION_SUPPLIED, CHARGEBACK_REVERSED, SECOND_CHARGEBACK',
  ],
  ['lost, then reversed', 'chargeback under_review', `${NOTICE}, ${TAKEN}, ${ENDED} Lost, CHARGEBACK_REVERSED Won`],
  ['lost, then won', 'chargeback won', `${TAKEN}, ${ENDED} Lost, ${REVERSED}, ${NOT_CONTESTED}`],
  [
    'pre-arbitration, won',
    'pre_arbitration won',
    `${TAKEN}, ${REVERSED}, ${SECOND}, PREARBITRATION_OPEN, PREARBITRATION_WON Won`,
  ],
  ['pre-arbitration, lost', 'pre_arbitration lost', `${TAKEN}, ${REVERSED}, ${SECOND}, PREARBITRATION_LOST Lost`],
  [
    'pre-arbitration of the issuer, accepted',
    'pre_arbitration lost',
    `${TAKEN}, ${REVERSED}, PREARBITRATION_OPEN, PREARBITRATION_ACCEPTED, ${SECOND}`,
  ],
  [
    'pre-arbitration of the issuer, withdrawn',
    'pre_arbitration won',
    `${TAKEN}, ${REVERSED}, PREARBITRATION_OPEN, PREARBITRATION_ISSUER_WITHDRAWN`,
  ],
  ['arbitration, won', 'pre_arbitration won', `${TAKEN}, ${ARBITRATION}, SCHEME_ARBITRATION_WON`],
  ['arbitration, lost', 'pre_arbitration lost', `${TAKEN}, ${ARBITRATION}, SCHEME_ARBITRATION_LOST, ${SECOND}`],
];

/** They go back, so that events of one second would not tell their order. */
const BACK: [Reader, ...Sequence][] = [
  [readStripe, 'won, then lost', 'chargeback lost', `${OPENED}, closed won, funds_reinstated won, closed lost`],
  [
    readAdyen,
    'pre-arbitration, withdrawn and opened again',
    'pre_arbitration open',
    `${TAKEN}, PREARBITRATION_OPEN, PREARBITRATION_ISSUER_WITHDRAWN, PREARBITRATION_OPEN`,
  ],
];

describe('sequences of disputes', () => {
  it.each(STRIPE)('a dispute at Stripe, %s, is %s at its end, in any order', async (...sequence) => {
    await endsAlike(readStripe, sequence, DAY);
    await endsAlike(readStripe, sequence, 0);
  });

  it.each(ADYEN)('a dispute at Adyen, %s, is %s at its end, in any order', async (...sequence) => {
    await endsAlike(readAdyen, sequence, DAY);
    await endsAlike(readAdyen, sequence, 0);
  });

  it.each(BACK)('a dispute that goes back, %#, is what its latest event says, in any order', (read, ...sequence) =>
    endsAlike(read, sequence, DAY),
  );

  it('two disputes of a payment at Stripe end apart', () =>
    staysApart(readStripe, 'created needs_response, closed lost, closed won', OPENED, [
      'chargeback won',
      'chargeback open',
    ]));

  it('two disputes of a payment at Adyen end apart', () =>
    staysApart(readAdyen, `${TAKEN}, ${SECOND}, PREARBITRATION_WON Won`, `${NOTICE}, ${TAKEN}`, [
      'pre_arbitration won',
      'chargeback open',
    ]));
});
