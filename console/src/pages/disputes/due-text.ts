import type { Schema } from '@payment-orchestrator/client';
import type { Tone } from '../../ui/badge';
import { spanText } from '../../ui/span-text';

type Dispute = Schema<'Dispute'>;

const HOUR_MS = 3_600_000;
/** The alert `DisputeEvidenceDue` uses the same limit. */
const URGENT_MS = 48 * HOUR_MS;

export interface Due {
  text: string;
  tone: Tone;
}

/** When evidence is due, such as `in 2 days` or `overdue`; `undefined` if none is expected or no time is known. */
export function dueOf({ status, evidence_due_by: at }: Dispute, now: number): Due | undefined {
  if (status !== 'open' || at === null) return undefined;
  const ms = Date.parse(at) - now;
  if (ms <= 0) return { text: 'overdue', tone: 'bad' };
  return { text: `in ${spanText(ms)}`, tone: ms <= URGENT_MS ? 'bad' : 'warn' };
}
