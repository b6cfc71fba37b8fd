// Mistakes in what is sent, in amounts, accounts and credentials.
import { mistake, type Mistake } from './mistake.js';

export const REQUESTS: readonly Mistake[] = [
  mistake('captures at once what is to be authorised', 'says what the charge is when it refuses a void, if it does', [
    'connector',
    "capture: capture === 'automatic',",
    'capture: true,',
  ]),
  mistake('authorises what is to be captured', 'approves, and holds exactly the requested amount', [
    'connector',
    "capture: capture === 'automatic',",
    'capture: false,',
  ]),
  mistake('does not send the reference', 'approves, and holds exactly the requested amount', [
    'connector',
    '      reference,\n      amount: amount.minor,',
    '      reference: paymentMethod?.token,\n      amount: amount.minor,',
  ]),
  mistake('does not send the way back', 'the payer’s way back is sent with the charge', [
    'connector',
    '      return_url: returnUrl,\n',
    '',
  ]),
  mistake(
    'sends no idempotency key',
    'rejects when the answer got lost, and charges once after a repeat under the same key',
    ['api', "...(key !== undefined && { 'idempotency-key': key }),", ''],
  ),
  mistake(
    'sends a new key with each call',
    'rejects when the answer got lost, and charges once after a repeat under the same key',
    [
      'connector',
      'const { credentials, idempotencyKey: key } = request;',
      'const { credentials } = request;\n    const key = this.context.random.uuid();',
    ],
  ),
  mistake(
    'has the time in the body',
    'rejects when the answer got lost, and charges once after a repeat under the same key',
    ['connector', '      save: save === true,', '      save: save === true,\n      at: Date.now(),'],
  ),
  mistake(
    'has a random id in the body',
    'rejects when the answer got lost, and charges once after a repeat under the same key',
    ['connector', '      save: save === true,', '      save: save === true,\n      trace: this.context.random.uuid(),'],
  ),
  mistake('ignores `isRest`', 'the rest is refunded after a refund of a part', [
    'connector',
    "'refunds', !request.isRest,",
    "'refunds', true,",
  ]),
  mistake('refunds everything always', 'gives back parts with ids of their own, and never more than all, if it can', [
    'connector',
    "'refunds', !request.isRest,",
    "'refunds', false,",
  ]),
  mistake('captures everything always', 'says what the charge is when it refuses a void, if it does', [
    'connector',
    "'captures', true,",
    "'captures', false,",
  ]),
  mistake('captures the authorised amount', 'says what the charge is when it refuses a void, if it does', [
    'connector',
    "return this.operateOn(request, 'captures', true, signal);",
    "return this.operateOn({ ...request, amount: request.authorizedAmount }, 'captures', true, signal);",
  ]),
  mistake('rounds amounts', 'an amount with more decimals than the currency has is refused, not rounded', [
    'connector',
    "  toMinorAmount(amount, currency, UNITS.get(currency), 'Acme');",
    "  toMinorAmount(Number(amount).toFixed(UNITS.get(currency)?.exponent), currency, UNITS.get(currency), 'Acme');",
  ]),
  mistake('cuts binary fractions', 'amounts of 0, 2 and 3 decimals go to the provider and come back in look-ups', [
    'connector',
    "  toMinorAmount(amount, currency, UNITS.get(currency), 'Acme');",
    "  UNITS.has(currency) ? { minor: Math.trunc(Number(amount) * 10 ** UNITS.get(currency)!.exponent) } : toMinorAmount(amount, currency, undefined, 'Acme');",
  ]),
  mistake('has two decimals for every currency', 'charges and refunds JPY in its own minor units, if it accepts it', [
    'charges',
    "['JPY', { exponent: 0, step: 1 }],",
    "['JPY', { exponent: 2, step: 1 }],",
  ]),
  mistake('has two decimals for dinars', 'charges and refunds KWD in its own minor units, if it accepts it', [
    'charges',
    "['KWD', { exponent: 3, step: 1 }],",
    "['KWD', { exponent: 2, step: 1 }],",
  ]),
  mistake(
    'tells amounts with two decimals always',
    'amounts of 0, 2 and 3 decimals go to the provider and come back in look-ups',
    [
      'charges',
      'return fromMinorAmount(minor as number, units);',
      'return fromMinorAmount(minor as number, { ...units, exponent: 2 });',
    ],
  ),
  mistake('tells minor units', 'returns the provider’s state of a charge, if it has a look-up', [
    'charges',
    'return fromMinorAmount(minor as number, units);',
    'return String(minor);',
  ]),
  mistake('tells the captured sum as the amount', 'says what the charge is when it refuses a void, if it does', [
    'charges',
    '    amount: amountOf(amount, currency),\n    currency,\n    ...(isCaptured',
    '    amount: amountOf(captured - refunded, currency),\n    currency,\n    ...(isCaptured',
  ]),
  mistake('tells the amount as the captured sum', 'says what the charge is when it refuses a void, if it does', [
    'charges',
    'capturedAmount: amountOf(captured, currency)',
    'capturedAmount: amountOf(amount, currency)',
  ]),
];
