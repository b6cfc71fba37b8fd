// The expected disputes of a payment, by the documentation.

import type { Cents } from './provider-books.js';

const KINDS = ['inquiry', 'chargeback', 'pre_arbitration'] as const;
export type Kind = (typeof KINDS)[number];
export type DisputeStatus = 'open' | 'under_review' | 'won' | 'lost' | 'accepted';

export interface DisputeReport {
  id: string;
  kind: Kind;
  status: DisputeStatus;
  amount: Cents;
  /** When it was true at the provider. */
  minute: number;
}

const isFinal = ({ status }: DisputeReport): boolean => status !== 'open' && status !== 'under_review';

/** The disputes that a provider reports, in any order of their times. */
export class ModelDisputes {
  private readonly byId = new Map<string, DisputeReport>();
  readonly events: string[] = [];

  report(report: DisputeReport): void {
    const before = this.byId.get(report.id);
    if (before && report.minute < before.minute) return;
    const isLater = before !== undefined && KINDS.indexOf(report.kind) > KINDS.indexOf(before.kind);
    const kind = before && !isLater ? before.kind : report.kind;
    const after = { ...report, kind };
    const isSame = before?.kind === kind && before.status === after.status && before.amount === after.amount;
    if (before && isFinal(before) && !isLater && !isSame) return;
    this.byId.set(report.id, after);
    if (isSame) return;
    const type = isFinal(after) ? 'closed' : before && !isFinal(before) ? 'updated' : 'opened';
    this.events.push(`dispute.${type} ${report.id} ${after.kind} ${after.status}`);
  }

  /** Oldest first. */
  get lines(): string[] {
    return [...this.byId.values()].map(({ kind, status, amount }) => `${kind} ${status} ${amount / 100}`);
  }

  /** An inquiry moves no money, and a dispute that was won gave it back. */
  get amount(): Cents {
    return [...this.byId.values()]
      .filter(({ kind, status }) => kind !== 'inquiry' && status !== 'won')
      .reduce((sum, { amount }) => sum + amount, 0);
  }
}
