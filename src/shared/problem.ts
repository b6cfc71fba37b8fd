import type { FieldError } from '@payment-orchestrator/provider-kit';

/** All error responses of the service: permanent code → HTTP status and title. */
export const PROBLEMS = {
  malformed_json: { status: 400, title: 'The request body is not valid JSON' },
  malformed_request: { status: 400, title: 'The request path, query or headers are malformed' },
  unauthorized: { status: 401, title: 'A valid bearer token is required' },
  invalid_credentials: { status: 401, title: 'The client id or the client secret is wrong' },
  invalid_signature: { status: 401, title: 'The signature does not match the body' },
  csrf_token_invalid: { status: 403, title: 'The request lacks the CSRF token of its session' },
  insufficient_scope: { status: 403, title: 'The token lacks a required scope' },
  route_not_found: { status: 404, title: 'No such path' },
  shop_not_found: { status: 404, title: 'No such shop' },
  flow_not_found: { status: 404, title: 'No such flow' },
  flow_version_not_found: { status: 404, title: 'No such version of the flow' },
  flow_rollout_not_found: { status: 404, title: 'No such rollout of the flow' },
  payment_not_found: { status: 404, title: 'No such payment' },
  payment_archived: { status: 404, title: 'The payment was archived' },
  transaction_not_found: { status: 404, title: 'No such transaction at the sandbox' },
  refund_not_found: { status: 404, title: 'No such refund' },
  dispute_not_found: { status: 404, title: 'No such dispute' },
  customer_not_found: { status: 404, title: 'No such customer' },
  payment_method_not_found: { status: 404, title: 'The customer has no such payment method' },
  delivery_not_found: { status: 404, title: 'No such webhook delivery' },
  endpoint_not_found: { status: 404, title: 'No such webhook endpoint' },
  operation_not_found: { status: 404, title: 'No such operation of the payment' },
  notification_not_found: { status: 404, title: 'No such notification' },
  provider_not_found: { status: 404, title: 'No such provider' },
  merchant_not_found: { status: 404, title: 'No such merchant' },
  client_not_found: { status: 404, title: 'No such API client' },
  method_not_allowed: { status: 405, title: 'The path does not support this method' },
  request_timeout: { status: 408, title: 'The request did not arrive in time' },
  no_available_shop: { status: 409, title: 'No shop of the flow accepts this payment' },
  illegal_status_change: { status: 409, title: 'The payment cannot change to that status' },
  payment_session_used: { status: 409, title: 'The payment session has a payment already' },
  capture_already_made: { status: 409, title: 'The payment was captured with another amount' },
  provider_unconfirmed: { status: 409, title: 'The provider did not confirm the change' },
  refund_exceeds_captured: { status: 409, title: 'The refund is larger than the captured amount that is left' },
  payment_disputed: { status: 409, title: 'Disputes and refunds would exceed the captured amount' },
  no_next_action: { status: 409, title: 'The payment waits for no step in your page' },
  operation_closed: { status: 409, title: 'The operation has its outcome already' },
  operation_under_way: { status: 409, title: 'The operation is being tried now' },
  settle_contradicts_provider: { status: 409, title: 'The outcome contradicts the report of the provider' },
  settle_exceeds_operation: { status: 409, title: 'The amount is larger than that of the operation' },
  settle_approval_required: { status: 409, title: 'Another client must confirm the settlement' },
  transaction_id_taken: { status: 409, title: 'Another payment of the shop has that transaction id' },
  flow_has_open_payments: { status: 409, title: 'The flow still has open payments' },
  flow_assertion_violated: { status: 409, title: 'The flow violates one of its own assertions' },
  flow_changed: { status: 409, title: 'Another version of the flow is active now' },
  flow_approval_required: { status: 409, title: 'Another client must approve the version first' },
  flow_own_version: { status: 409, title: 'The author of a version cannot approve it' },
  flow_approval_not_open: { status: 409, title: 'No request for an approval of the version waits' },
  flow_version_not_proposed: { status: 409, title: 'The version needs no request: it is approved, or was active' },
  flow_version_active: { status: 409, title: 'The version is active for all payments already' },
  flow_rollout_running: { status: 409, title: 'A rollout of the flow is running' },
  flow_rollout_ended: { status: 409, title: 'The rollout has ended' },
  flow_rollout_stages_reached: { status: 409, title: 'The rollout has reached its limit of stages' },
  last_owner: { status: 409, title: 'No other client could give rights after that' },
  flow_name_taken: { status: 409, title: 'The merchant already has a flow with that name' },
  shop_name_taken: { status: 409, title: 'The merchant already has a shop with that name' },
  shop_limit_reached: { status: 409, title: 'The merchant has reached its limit of shops' },
  endpoint_limit_reached: { status: 409, title: 'The merchant has reached its limit of standing webhook endpoints' },
  flow_limit_reached: { status: 409, title: 'The merchant has reached its limit of flows' },
  payment_method_limit_reached: { status: 409, title: 'The customer has reached the limit of saved payment methods' },
  no_webhook_key: { status: 409, title: 'The shop has no webhook key: it signs with its secret only' },
  endpoint_not_active: { status: 409, title: 'The endpoint is paused or disabled: resume it first' },
  endpoint_not_standing: { status: 409, title: 'The endpoint is the address of payments, which each payment names' },
  shop_disabled: { status: 409, title: 'The shop is disabled' },
  delivery_in_progress: { status: 409, title: 'An attempt of the delivery is in progress' },
  delivery_erased: { status: 409, title: 'The body of the delivery was deleted because its customer was erased' },
  customer_erased: { status: 409, title: 'The customer was erased' },
  idempotency_key_in_flight: { status: 409, title: 'A request with this idempotency key is still in progress' },
  not_an_alarm: { status: 409, title: 'The notification is not an alarm' },
  payload_too_large: { status: 413, title: 'The request body is too large' },
  uri_too_long: { status: 414, title: 'The request path is too long' },
  unsupported_media_type: { status: 415, title: 'The request body must be application/json' },
  validation_failed: { status: 422, title: 'The request has invalid fields' },
  flow_assertions_too_complex: { status: 422, title: 'An assertion of the flow takes too long to check' },
  idempotency_key_reused: { status: 422, title: 'The idempotency key was used with another request' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  headers_too_large: { status: 431, title: 'The request headers are too large' },
  client_closed_request: { status: 499, title: 'The client disconnected before the response' },
  internal_error: { status: 500, title: 'Internal error' },
  dependency_unavailable: { status: 503, title: 'A dependency of the service is down' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** `field` is a path into the request body such as `shops[0].weight`, or the name of a query or path parameter. */
export type { FieldError };

interface ProblemOptions {
  /** One sentence for the caller: the value received and the values accepted. Never secrets or other merchants' data. */
  detail?: string;
  errors?: FieldError[];
  /** Response headers, such as `retry-after` (seconds) or `allow`. */
  headers?: Record<string, string>;
  cause?: unknown;
}

/** Seconds after which a caller may try again, unless the problem names others. */
const RETRY_AFTER = { 'retry-after': '5' };

/** The only error type that services throw. The HTTP layer renders it as `application/problem+json` (RFC 9457). */
export class Problem extends Error {
  readonly status: number;
  readonly title: string;
  readonly detail: string | undefined;
  readonly errors: FieldError[] | undefined;
  readonly headers: Record<string, string>;

  constructor(
    readonly code: ProblemCode,
    options: ProblemOptions = {},
  ) {
    super(options.detail ?? PROBLEMS[code].title, { cause: options.cause });
    this.name = 'Problem';
    this.status = PROBLEMS[code].status;
    this.title = PROBLEMS[code].title;
    this.detail = options.detail;
    this.errors = options.errors;
    this.headers = { ...(code === 'dependency_unavailable' && RETRY_AFTER), ...options.headers };
  }
}

/** Returns a `validation_failed` problem (422) for one field. */
export const invalidField = (field: string, message: string): Problem =>
  new Problem('validation_failed', { errors: [{ field, message }] });
