import type { CredentialField } from '../../providers/payment-provider.js';

/** A secret shorter than this shows nothing of itself: four of its characters would be too large a part of it. */
const MIN_LENGTH_FOR_END = 24;
const SHOWN = 4;

/**
 * A credential as a person may see it: a secret by its last four characters, by which one is told from another, or by none
 * of them. `null`: there is none.
 */
export function masked(value: unknown, { isSecret }: Pick<CredentialField, 'isSecret'>): string | null {
  if (typeof value !== 'string') return null;
  if (!isSecret) return value;
  return value.length < MIN_LENGTH_FOR_END ? '…' : `…${value.slice(-SHOWN)}`;
}
