import { describe, expect, it } from '@jest/globals';
import {
  answered,
  CANCEL,
  charging,
  chargingSecond,
  confirmed,
  EXPIRED,
  lookedUp,
  refused,
  reported,
  type Row,
  seenAfter,
} from '../../../../test/support/money/builders.js';

const OPEN = answered('processing', { transactionId: 'tx1' });
const CHARGED = answered('captured', { transactionId: 'tx1' });

const LATE: Row[] = [
  [
    'a charge after the cancellation is refunded',
    charging(),
    [CANCEL, CHARGED, confirmed('refund')],
    {
      ...{
        status: 'cancelled',
        amounts: [0, 0, 0],
        operations: ['charge confirmed', 'void refused', 'refund confirmed'],
      },
      history: ['cancelled cancel_requested', 'cancelled charged_after_end', 'cancelled late_charge_reversed'],
    },
  ],
  [
    'a charge after the expiry is refunded',
    charging(),
    [EXPIRED, CHARGED],
    { status: 'cancelled', operations: ['charge confirmed', 'refund open'] },
  ],
  [
    'an unfinished charge after the cancellation is voided, and has charged no payer',
    charging(),
    [CANCEL, OPEN, confirmed('void')],
    { status: 'cancelled', operations: ['charge refused', 'void confirmed'], history: ['cancelled cancel_requested'] },
  ],
  [
    'an authorisation after the cancellation is voided, and has charged no payer',
    charging('manual'),
    [CANCEL, answered('authorized', { transactionId: 'tx1' }), confirmed('void')],
    {
      status: 'cancelled',
      operations: ['charge confirmed', 'void confirmed'],
      history: ['cancelled cancel_requested'],
    },
  ],
  [
    'a charge of the first shop is refunded while the second one is asked',
    chargingSecond(),
    [reported('completed'), reported('completed')],
    {
      status: 'pending',
      history: ['pending charged_after_end'],
      operations: ['charge refused', 'charge open', 'refund open'],
    },
  ],
  [
    'an unfinished report of the first shop, which declined, changes nothing',
    chargingSecond(),
    [reported('processing')],
    { verdicts: ['ignored attempt_superseded'], operations: ['charge refused', 'charge open'] },
  ],
  [
    'its refund is confirmed by a report after it',
    charging(),
    [OPEN, reported('failed'), reported('completed'), reported('refunded')],
    { status: 'failed', operations: ['charge refused', 'refund confirmed'], waiting: 0 },
  ],
  [
    'its refund is confirmed by a report before it',
    charging(),
    [OPEN, reported('failed'), reported('refunded'), reported('completed')],
    { status: 'failed', operations: ['charge refused', 'refund confirmed'], waiting: 0 },
  ],
  [
    'what the provider has given back already is not refunded again',
    charging(),
    [OPEN, reported('failed'), lookedUp('refunded')],
    { status: 'failed', operations: ['charge refused'] },
  ],
  [
    'a refused reversal is requested again under another key',
    charging(),
    [CANCEL, CHARGED, refused('refund'), confirmed('refund')],
    {
      operations: ['charge confirmed', 'void refused', 'refund confirmed'],
      verdicts: ['granted', 'ignored payment_is_cancelled', 'applied', 'applied'],
    },
  ],
];

describe('a late charge', () => {
  it.each(LATE)('%s', (_, start, facts, seen) => {
    expect(seenAfter(start, facts)).toMatchObject(seen);
  });
});
