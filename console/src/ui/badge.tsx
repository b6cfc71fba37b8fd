import type { ReactNode } from 'react';

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'neutral';

export const Badge = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span className={`badge badge-${tone}`}>{children}</span>
);

/** Of payments, their attempts, operations and notifications, and of deliveries. */
const TONES: Record<string, Tone> = {
  completed: 'good',
  approved: 'good',
  delivered: 'good',
  succeeded: 'good',
  confirmed: 'good',
  applied: 'good',
  refunded: 'info',
  processing: 'info',
  pending: 'warn',
  waiting: 'warn',
  unknown: 'warn',
  conflict: 'warn',
  soft_declined: 'warn',
  failed: 'bad',
  declined: 'bad',
  rejected: 'bad',
  refused: 'bad',
  unavailable: 'bad',
  alarm: 'bad',
  cancelled: 'neutral',
};

/** A status by its own name; the colour only repeats what the word says. */
export const StatusBadge = ({ status }: { status: string }) => (
  <Badge tone={TONES[status] ?? 'neutral'}>{status}</Badge>
);
