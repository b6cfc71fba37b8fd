import type { FieldError } from './payment-provider.js';

/** Why a notification is refused. `invalid_signature`: 401, before the body is interpreted; the other two: 400 and 422. */
export type NotificationRefusal = 'invalid_signature' | 'malformed_json' | 'validation_failed';

/** Thrown by `parseNotification`. The service recognises it by its `code`. */
export class NotificationRefused extends Error {
  /** With `validation_failed`: the fields of the body. */
  readonly errors: FieldError[] | undefined;

  constructor(
    readonly code: NotificationRefusal,
    { errors, cause }: { errors?: FieldError[]; cause?: unknown } = {},
  ) {
    super(code, { cause });
    this.name = 'NotificationRefused';
    this.errors = errors;
  }
}
