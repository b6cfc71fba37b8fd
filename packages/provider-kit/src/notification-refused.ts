import type { FieldError } from './payment-provider.js';

/**
 * Why a notification is refused. `invalid_signature`: 401, before the body is interpreted. `malformed_json`: 400.
 * `validation_failed`: 422. `dependency_unavailable`: 503, the provider must be asked and gives no answer, so it has to
 * repeat the notification.
 */
export type NotificationRefusal =
  'invalid_signature' | 'malformed_json' | 'validation_failed' | 'dependency_unavailable';

interface RefusalOptions {
  /** One sentence for the provider's staff, without secrets. */
  detail?: string;
  /** With `validation_failed`: the fields of the body. */
  errors?: FieldError[];
  cause?: unknown;
}

/** Thrown by `parseNotification` and `findReference`. The service recognises it by its `code`. */
export class NotificationRefused extends Error {
  readonly detail: string | undefined;
  readonly errors: FieldError[] | undefined;

  constructor(
    readonly code: NotificationRefusal,
    { detail, errors, cause }: RefusalOptions = {},
  ) {
    super(detail ?? code, { cause });
    this.name = 'NotificationRefused';
    this.detail = detail;
    this.errors = errors;
  }
}
