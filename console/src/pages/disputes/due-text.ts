import type { Schema } from '@payment-orchestrator/client';
import type { Tone } from '../../ui/badge';

type Dispute = Schema<'Dispute'>;

const HOUR_MS = 3_600_000;
const UNITS: [name: string, ms: number][] = [
  ['day', 24 * HOUR_MS],
  ['hour', HOUR_MS],
  ['minute', 60_000],
];
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
  const [name, unit] = UNITS.find(([, length]) => ms >= length) ?? UNITS.at(-1)!;
  const count = Math.max(1, Math.floor(ms / unit));
  return { text: `in ${count} ${name}${count === 1 ? '' : 's'}`, tone: ms <= URGENT_MS ? 'bad' : 'warn' };
}

/** Whether the evidence of any of the disputes is overdue or due within 48 hours. */
export const isUrgent = (disputes: readonly Dispute[], now: number): boolean =>
  disputes.some((dispute) => dueOf(dispute, now)?.tone === 'bad');
