import type { FieldError } from '@payment-orchestrator/provider-kit';

type Code =
  | 'transaction_not_found'
  | 'dispute_not_found'
  | 'provider_unconfirmed'
  | 'validation_failed'
  | 'idempotency_key_reused';

/** A change at the dashboard that the sandbox refuses. The code is one of the service's problems. */
export class DashboardRefused extends Error {
  constructor(
    readonly code: Code,
    readonly options: { detail?: string; errors?: FieldError[] } = {},
  ) {
    super(options.detail ?? code);
    this.name = 'DashboardRefused';
  }
}

export const invalidField = (field: string, message: string): DashboardRefused =>
  new DashboardRefused('validation_failed', { errors: [{ field, message }] });
