import type { DeclineCode } from './decline-code.js';
import type { SavedMethod } from './saved-method.js';

export const EVENT_STATUSES = [
  'processing',
  'authorized',
  'authorization_expired',
  'completed',
  'failed',
  'cancelled',
  'refund_pending',
  'refunded',
  'disputed',
  'void_failed',
  'refund_failed',
  'capture_failed',
  'ignored',
] as const;

/** An event of a transaction, reported by the provider. */
export interface ProviderEvent {
  /** The provider's id of the event, or another identification if it has none. Each event counts once. */
  id: string;
  /** Ids that identify the payment; at least one of them. */
  match: { transactionId?: string; reference?: string };
  /**
   * `authorized`: an authorisation that waits for its capture; an automatic charge is captured with it and completed.
   * `authorization_expired`: an authorisation has ended, nothing can be captured any longer. `disputed`: see `dispute`.
   * `refund_pending`: a refund was accepted. `refunded`: a refund succeeded; `amount` is the refund's.
   * `void_failed`, `refund_failed`, `capture_failed`: a `pending` or `confirmed` void, refund or capture failed. A
   * `pending` one is then refused, and may be requested under another key. A `confirmed` one needs a person. None
   * changes a status. `ignored`: a kind that says nothing about a payment's status; counted.
   */
  status: (typeof EVENT_STATUSES)[number];
  /**
   * The provider's id of the capture, void or refund that the event is about, the same as in the answer to the call. Absent
   * if the provider reports none: then the open operation is meant. An event with an id says nothing about other
   * operations.
   */
  operationId?: string;
  /**
   * Decimal text in units of the currency, if the event has it: the captured amount of `completed`, the refund's of
   * `refunded`. A different amount never completes an automatic payment.
   */
  amount?: string;
  currency?: string;
  /**
   * When it happened at the provider: it orders reports of a dispute. If the provider tells seconds, order those of one
   * second by milliseconds, as its documentation orders its events.
   */
  occurredAt?: Date;
  /** When the authorisation ends, with `authorized`. */
  captureBefore?: Date;
  /** With `disputed`: the dispute as it is now. */
  dispute?: ReportedDispute;
  /** The payment method that the charge has saved, with any status, also `ignored`. Stored as that of an answer, once. */
  savedMethod?: SavedMethod;
  /** The reason for a failure, if the provider gives one: also the `failure_code` of a refund with `refund_failed`. */
  declineCode?: DeclineCode;
  /** Sent to the merchant as `original_webhook.data`. */
  data: Record<string, unknown>;
}

export const DISPUTE_KINDS = ['inquiry', 'chargeback', 'pre_arbitration'] as const;
export type DisputeKind = (typeof DISPUTE_KINDS)[number];

/** `open`: evidence can be submitted. `under_review`: it was. The other three are final. */
export const DISPUTE_STATUSES = ['open', 'under_review', 'won', 'lost', 'accepted'] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

/** A dispute as its provider reports it. */
export interface ReportedDispute {
  /** The provider's id, the same in all reports. */
  id: string;
  kind: DisputeKind;
  status: DisputeStatus;
  /** The report says that there is a dispute, but not how far it is: any other report has the status. */
  isAnnouncement?: boolean;
  /** Decimal text in units of the currency. */
  amount: string;
  /** ISO 4217. */
  currency: string;
  /** The provider's code. */
  reasonCode?: string;
  /** The card network's code. */
  networkReasonCode?: string;
  evidenceDueBy?: Date;
  openedAt?: Date;
}

/** The most transactions that one notification may ask about; more are refused. */
export const MAX_ASKED = 100;

export interface ParsedNotification {
  events: ProviderEvent[];
  /**
   * The provider's ids of transactions that have changed, at most {@link MAX_ASKED}: for a provider whose notifications
   * are not signed, or do not say what happened. Each one that is ours is looked up soon, with the shop's credentials.
   */
  ask?: readonly string[];
  /** The answer that the provider expects; absent: 200 with our standard body. */
  acknowledge?: { contentType: string; body: string };
}

/** The part of a notification that its signature covers. */
export interface SignedRequest {
  /** The exact bytes received; signatures cover these. */
  rawBody: Buffer;
  /** Lower-case names. */
  headers: Record<string, string | string[] | undefined>;
}

export interface IncomingNotification extends SignedRequest {
  /** The shop of the address. */
  shopId: number;
  /** The parameters of the address. */
  query: Readonly<Record<string, string>>;
}
