// Checkout.com's objects with all fields that its API reference requires, and its refusals.
import { randomBytes } from 'node:crypto';
import type { FakeAnswer } from '@payment-orchestrator/provider-kit/testing';

/** An id such as `pay_…`: 26 characters of base 32. */
export const idOf = (prefix: string): string =>
  `${prefix}_${[...randomBytes(26)].map((byte) => 'abcdefghijklmnopqrstuvwxyz234567'[byte % 32]).join('')}`;

/** A token of the fake, with a readable name. */
export const tokenOf = (name: string): string => `tok_${name.padEnd(26, 'z')}`;

interface Balances {
  total_authorized: number;
  total_voided: number;
  total_captured: number;
  total_refunded: number;
}

export interface StoredAction {
  id: string;
  type: 'Authorization' | 'Capture' | 'Void' | 'Refund';
  amount: number;
  /** Absent while it is under way. */
  approved?: boolean;
  response_code: string;
  processed_on: string;
  reference: string | undefined;
  metadata: object | undefined;
}

export interface StoredPayment {
  id: string;
  requested_on: string;
  amount: number;
  currency: string;
  reference: string | undefined;
  capture: boolean;
  status: string;
  response_code: string;
  balances: Balances;
  source: { id: string } & Record<string, unknown>;
  metadata: object;
  expires_on?: string;
  success_url?: string;
  failure_url?: string;
  payment_type?: string;
  merchant_initiated?: boolean;
  previous_payment_id?: string;
}

const href = (path: string) => ({ href: `https://api.sandbox.checkout.com${path}` });

export const linksOf = (id: string, redirect?: string) => ({
  self: href(`/payments/${id}`),
  actions: href(`/payments/${id}/actions`),
  ...(redirect !== undefined && { redirect: { href: redirect } }),
});

export const refusal = (status: number, ...codes: string[]): FakeAnswer => ({
  status,
  body: { request_id: '0HL80RJLS76I7', error_type: 'request_invalid', error_codes: codes },
});

export const unprocessable = (...codes: string[]): FakeAnswer => refusal(422, ...codes);

/** Refusals without a body that says why, as those of 401, 403 and 404. */
export const bare = (status: number): FakeAnswer => ({ status, body: {} });
