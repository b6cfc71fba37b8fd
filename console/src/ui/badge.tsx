import type { ReactNode } from 'react';

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'neutral';

export const Badge = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span className={`badge badge-${tone}`}>{children}</span>
);

/** Tones of the states of payments, attempts, operations, refunds, disputes, notifications and deliveries. */
const TONES: Record<string, Tone> = {
  completed: 'good',
  approved: 'good',
  delivered: 'good',
  succeeded: 'good',
  confirmed: 'good',
  applied: 'good',
  won: 'good',
  refunded: 'info',
  under_review: 'info',
  processing: 'info',
  open: 'warn',
  pending: 'warn',
  waiting: 'warn',
  unknown: 'warn',
  conflict: 'warn',
  soft_declined: 'warn',
  failed: 'bad',
  lost: 'bad',
  declined: 'bad',
  rejected: 'bad',
  refused: 'bad',
  unavailable: 'bad',
  alarm: 'bad',
  cancelled: 'neutral',
};

/** Shows a status by its name in the API. The colour only repeats the word. */
export const StatusBadge = ({ status }: { status: string }) => (
  <Badge tone={TONES[status] ?? 'neutral'}>{status}</Badge>
);
