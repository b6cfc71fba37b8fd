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
  /** When it was true at the provider; each report has another time. */
  minute: number;
}

const isFinal = ({ status }: DisputeReport): boolean => status !== 'open' && status !== 'under_review';

/** The last of the reports of a dispute, but an inquiry says nothing once there is a chargeback. */
function saidBy(reports: DisputeReport[]): DisputeReport {
  const chargebacks = reports.filter(({ kind }) => kind !== 'inquiry');
  const [last] = (chargebacks.length > 0 ? chargebacks : reports).toSorted((one, other) => other.minute - one.minute);
  const kind = KINDS.findLast((each) => reports.some((report) => report.kind === each))!;
  return { ...last!, kind };
}

/** The disputes that a provider reports, in any order of their times. */
export class ModelDisputes {
  private readonly reports = new Map<string, DisputeReport[]>();
  readonly events: string[] = [];

  report(report: DisputeReport): void {
    const known = this.reports.get(report.id) ?? [];
    const all = [...known, report];
    this.reports.set(report.id, all);
    const [before, after] = [known.length > 0 ? saidBy(known) : undefined, saidBy(all)];
    const isSameEnd = before?.kind === after.kind && before.status === after.status;
    if (isSameEnd && before.amount === after.amount) return;
    const isOpened = !before || (isFinal(before) && !isFinal(after));
    const type = isFinal(after) && !isSameEnd ? 'closed' : isOpened ? 'opened' : 'updated';
    this.events.push(`dispute.${type} ${report.id} ${after.kind} ${after.status}`);
  }

  /** In the order of their first reports. */
  get lines(): string[] {
    return this.said.map(({ kind, status, amount }) => `${kind} ${status} ${amount / 100}`);
  }

  /** An inquiry moves no money, and a dispute that was won gave it back. */
  get amount(): Cents {
    return this.said
      .filter(({ kind, status }) => kind !== 'inquiry' && status !== 'won')
      .reduce((sum, { amount }) => sum + amount, 0);
  }

  private get said(): DisputeReport[] {
    return [...this.reports.values()].map(saidBy);
  }
}
