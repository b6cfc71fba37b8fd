import type { CredentialField } from '@payment-orchestrator/provider-kit';

/** A shorter secret is hidden completely: four characters would be too large a part of it. */
const MIN_LENGTH_FOR_END = 24;
const SHOWN = 4;

/**
 * A credential in the form that a person may see. A secret is shown by its last four characters, which identify it, or
 * not at all. `null`: there is none.
 */
export function masked(value: unknown, { isSecret }: Pick<CredentialField, 'isSecret'>): string | null {
  if (value === true && !isSecret) return 'true';
  if (typeof value !== 'string') return null;
  if (!isSecret) return value;
  return value.length < MIN_LENGTH_FOR_END ? '…' : `…${value.slice(-SHOWN)}`;
}
