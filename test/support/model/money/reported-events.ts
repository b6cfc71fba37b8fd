import type { ApiEvent } from '../../../integration/events/events-harness.js';
import type { TestEvent } from '../../../integration/payments/scripted-events.js';
import type { Report } from './payment-money.js';
import { CURRENCY, textOf } from './provider-books.js';

/** The types and states of a payment's events, by their object, in the form of `ScriptedPayment.events`. */
export function reportedBy(paymentId: number, events: readonly ApiEvent[]): string[] {
  const own = events.filter(({ payment_id: id }) => id === paymentId);
  const steps = new Map<unknown, string[]>();
  const [status, refunds, disputes] = ['payment.', 'refund.', 'dispute.'].map((prefix) =>
    own.filter(({ type }) => type.startsWith(prefix)),
  ) as [ApiEvent[], ApiEvent[], ApiEvent[]];
  for (const { type, data } of refunds) {
    steps.set(data['id'], [...(steps.get(data['id']) ?? []), `${type} ${String(data['status'])}`]);
  }
  const byAge = [...steps].sort(([one], [other]) => Number(one) - Number(other));
  return [
    ...status.map(({ data }, at) => `status ${at} ${data.payment!.status}`),
    ...byAge.flatMap(([, each], at) => each.map((event, step) => `refund ${at} ${step} ${event}`)),
    ...disputes.map(({ type, data }, at) => `dispute ${at} ${type} ${disputeOf(data)}`),
  ].sort();
}

const disputeOf = (data: Record<string, unknown>): string =>
  [String(data['provider_dispute_id']).split(' ')[1], data['kind'], data['status']].join(' ');

/** A report as the provider's notification. */
export function eventOf(report: Report): Omit<TestEvent, 'match'> {
  if ('booked' in report) {
    const { status, booked } = report;
    return { status, operationId: booked.id, amount: textOf(booked.amount), currency: CURRENCY };
  }
  if (report.status !== 'completed') return { status: report.status };
  return { status: report.status, amount: textOf(report.amount), currency: CURRENCY };
}
