/** Why a webhook was not accepted: permanent codes, and what to do about each. A receiver answers with `status`. */
export const VERIFICATION_FAILURES = {
  missing_header: { status: 401, advice: 'The request is no webhook of the service, or a proxy drops headers.' },
  malformed_header: { status: 401, advice: 'The header is not what the service sends: look at proxies in between.' },
  timestamp_too_old: {
    status: 401,
    advice: 'Somebody may repeat an old request. If it happens to all webhooks, the clock of this machine is wrong.',
  },
  timestamp_too_new: { status: 401, advice: 'The clock of this machine is behind.' },
  body_reserialized: {
    status: 401,
    advice: 'A JSON parser came first. Verify the bytes as received, before anything parses them.',
  },
  wrong_secret: {
    status: 401,
    advice: 'Another shop’s secret, one from before a rotation, or a body that was changed on its way.',
  },
  unknown_shop: { status: 401, advice: 'No secret is known for the shop that the header webhook-shop-id names.' },
  wrong_shop: { status: 401, advice: 'The body is of another shop than the header webhook-shop-id names.' },
  malformed_body: { status: 401, advice: 'The body is signed, and no event: it was not the service that signed it.' },
  body_too_large: { status: 413, advice: 'The service sends bodies of up to 288 KiB.' },
} as const;

export type VerificationFailure = keyof typeof VERIFICATION_FAILURES;

/** A webhook that must not be trusted. `message` is one sentence with the reason and the advice, without any secret. */
export class WebhookVerificationError extends Error {
  /** What to answer: Express, Fastify, Koa and Nest read it when the error reaches them. */
  readonly status: number;
  readonly statusCode: number;
  /** They answer without the message then, which is for whoever runs the receiver. */
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
