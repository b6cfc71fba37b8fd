/** The permanent codes of refusals, with the status of the answer and advice for the operator of the receiver. */
export const VERIFICATION_FAILURES = {
  missing_header: { status: 401, advice: 'The request is not from the service, or a proxy drops headers.' },
  malformed_header: { status: 401, advice: 'The service does not send such a header. Check the proxies in between.' },
  timestamp_too_old: {
    status: 401,
    advice: 'Someone may repeat an old request. If all webhooks are refused, the clock of this machine is fast.',
  },
  timestamp_too_new: { status: 401, advice: 'The clock of this machine is slow.' },
  body_reserialized: {
    status: 401,
    advice: 'A JSON parser ran before. Verify the bytes as received, before they are parsed.',
  },
  wrong_secret: {
    status: 401,
    advice: 'Check for the secret of another shop or endpoint, an old secret, or a proxy that changes the body.',
  },
  unknown_shop: { status: 401, advice: 'There is no secret for the shop in the header webhook-shop-id.' },
  unknown_endpoint: { status: 401, advice: 'There is no secret for the endpoint in the header webhook-endpoint-id.' },
  wrong_shop: { status: 401, advice: 'The body is from another shop than the one in the header webhook-shop-id.' },
  malformed_body: { status: 401, advice: 'The body is signed but not an event, so the service did not sign it.' },
  body_too_large: { status: 413, advice: 'The service sends at most 288 KiB.' },
} as const;

export type VerificationFailure = keyof typeof VERIFICATION_FAILURES;

/** A webhook that must not be trusted. `message` contains the reason and the advice, but no secret. */
export class WebhookVerificationError extends Error {
  /** The status of the answer. Express, Fastify, Koa and Nest use it when they catch the error. */
  readonly status: number;
  readonly statusCode: number;
  /** Keeps the message out of their answers, because it is for the operator of the receiver only. */
  readonly expose = false;

  constructor(
    readonly code: VerificationFailure,
    reason: string,
  ) {
    const { status, advice } = VERIFICATION_FAILURES[code];
    super(`${reason}. ${advice}`);
    this.name = 'WebhookVerificationError';
    this.status = status;
    this.statusCode = status;
  }
}
