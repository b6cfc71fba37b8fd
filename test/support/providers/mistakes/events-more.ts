// Mistakes in notifications.
import { mistake, type Mistake } from './mistake.js';

export const EVENTS_MORE: readonly Mistake[] = [
  mistake('names the charge as the operation', 'a refund that was accepted is declined', [
    'events',
    "operationId: text(of, 'operation')",
    "operationId: text(of, 'charge')",
  ]),
  mistake('names no operation', 'a refund that was accepted is declined', [
    'events',
    "({ operationId: text(of, 'operation'), ...money",
    '({ ...money',
  ]),
  mistake('names the event as the operation', 'a refund that was accepted is declined', [
    'events',
    "operationId: text(of, 'operation')",
    "operationId: `op_${String(of['amount'])}`",
  ]),
  mistake('tells the charge’s amount as the refund’s', 'amounts of 0, 2 and 3 decimals come in notifications', [
    'events',
    "...money(of, 'amount') });\n\nfunction money",
    "...money(of, 'captured') });\n\nfunction money",
  ]),
  mistake('tells the authorised amount as captured', 'a part is captured: the event has the captured amount', [
    'events',
    "['charge.paid', (of) => ({ status: 'completed', ...money(of, 'captured') })],",
    "['charge.paid', (of) => ({ status: 'completed', ...money(of, 'amount') })],",
  ]),
  mistake('tells minor units in events', 'amounts of 0, 2 and 3 decimals come in notifications', [
    'events',
    "{ amount: amountOf(of[name], of['currency']),",
    '{ amount: String(of[name]),',
  ]),
  mistake('tells no reference', 'parses notifications with the reference, the amount and the currency of the payment', [
    'events',
    "match: { transactionId: text(of, 'charge'), reference: text(of, 'reference') }",
    "match: { transactionId: text(of, 'charge') }",
  ]),
  mistake(
    'tells the transaction’s id as the reference',
    'parses notifications with the reference, the amount and the currency of the payment',
    ['events', "reference: text(of, 'reference') }", "reference: text(of, 'charge') }"],
  ),
  mistake('gives events random ids', 'parses repeated notifications to the same events', [
    'events',
    "    id: text(event, 'id'),",
    '    id: crypto.randomUUID(),',
  ]),
  mistake(
    'gives all events of a charge one id',
    'events have ids of their own, the time of now, and nothing secret or of the payer',
    ['events', "    id: text(event, 'id'),", "    id: text(of, 'charge'),"],
  ),
  mistake('gives events the time of their arrival', 'a dispute’s event comes again: it keeps its id and its time', [
    'events',
    "occurredAt: date(event, 'created'),",
    'occurredAt: new Date(),',
  ]),
  mistake(
    'takes seconds for milliseconds in events',
    'events have ids of their own, the time of now, and nothing secret or of the payer',
    ['events', 'return fromSeconds(of[name]);', 'return new Date(Number(of[name]));'],
  ),
  mistake(
    'hands on the whole event',
    'events have ids of their own, the time of now, and nothing secret or of the payer',
    ['events', 'data: { type },', 'data: { type, client_secret: of["charge"] },'],
  ),
  mistake('tells a dispute with the charge’s id', 'a dispute’s event comes again: it keeps its id and its time', [
    'events',
    "id: text(of, 'dispute'),",
    'id: crypto.randomUUID(),',
  ]),
  mistake(
    'tells a dispute as a failure',
    'parses a notification of a dispute, with its id and its amount, if it reports disputes',
    ['events', "status: 'disputed',", "status: 'failed',"],
  ),
  mistake('tells a dispute without its amount', 'amounts of 0, 2 and 3 decimals come in notifications', [
    'events',
    "status: 'open', ...money(of, 'amount')",
    "status: 'open', amount: '0', currency: 'EUR'",
  ]),
  mistake(
    'refuses its own notifications twice',
    'accepts only a valid signature of this shop, if it has a secret for it',
    [
      'connector',
      '    const event = readEvent(',
      '    if (this.seen.has(incoming.rawBody.toString())) return Promise.resolve({ events: [] });\n    this.seen.add(incoming.rawBody.toString());\n    const event = readEvent(',
    ],
    [
      'connector',
      '  readonly accountsAreShared = false;',
      '  readonly accountsAreShared = false;\n  private readonly seen = new Set<string>();',
    ],
  ),
  mistake(
    'keeps the secret of the first shop',
    'accepts only a valid signature of this shop, if it has a secret for it',
    [
      'connector',
      "readEvent(incoming, credentials['signing_secret'],",
      "readEvent(incoming, (this.secret ??= credentials['signing_secret']),",
    ],
    [
      'connector',
      '  readonly accountsAreShared = false;',
      '  readonly accountsAreShared = false;\n  private secret: unknown;',
    ],
  ),
  mistake('acknowledges in a form that is none', 'the provider fails (5xx), in any call', [
    'connector',
    'return Promise.resolve({ events: [event] });',
    "return Promise.resolve({ events: [event], acknowledge: { contentType: '', body: 7 } as never });",
  ]),
  mistake('returns no list of events', 'the provider fails (5xx), in any call', [
    'connector',
    'return Promise.resolve({ events: [event] });',
    'return Promise.resolve(event as never);',
  ]),
];
