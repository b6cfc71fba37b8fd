import { randomUUID } from 'node:crypto';
import type { ChargeRequest } from '../payment-provider.js';

/** A charge of 100.10 EUR, with a new reference and a new key, without credentials and payment method. */
export const chargeRequest = (fields: Partial<ChargeRequest> = {}): ChargeRequest => ({
  paymentId: 7,
  shopId: 1,
  reference: randomUUID(),
  transactionId: null,
  credentials: {},
  idempotencyKey: randomUUID(),
  amount: '100.10',
  currency: 'EUR',
  country: 'FR',
  sessionId: 'session-7',
  paymentMethod: undefined,
  returnUrl: undefined,
  customer: null,
  metadata: null,
  capture: 'automatic',
  attemptedAt: new Date(),
  notificationUrl: undefined,
  ...fields,
});
