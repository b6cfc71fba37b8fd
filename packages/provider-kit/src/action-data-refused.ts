import type { FieldError } from './payment-provider.js';

/** Thrown by `completeAction`. The service recognises it by its `code`. */
export class ActionDataRefused extends Error {
  readonly code = 'validation_failed';

  /** `errors`: fields relative to the data, such as `details`. */
  constructor(readonly errors: FieldError[]) {
    super('validation_failed');
    this.name = 'ActionDataRefused';
  }
}
