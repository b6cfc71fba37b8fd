import { Injectable } from '@nestjs/common';
import { Metrics } from '../../platform/observability/metrics.js';
import { DECLINE_CODES, DISPUTE_STATUSES, type DisputeStatus } from '@payment-orchestrator/provider-kit';
import { ProviderRegistry } from '../../providers/provider-registry.service.js';
import { ALARM_REASONS, type AlarmReason } from '../../shared/alarm.js';
import { ATTEMPT_OUTCOMES, type AttemptEnd } from '../money/state/attempt.js';
import { PAYMENT_STATUSES, type PaymentStatus } from '../money/state/payment-state.js';

const NO_CAUSE = 'none';
const OTHER_CAUSE = 'other';
const KNOWN_CAUSES: ReadonlySet<string> = new Set(DECLINE_CODES);
const CAUSES = [NO_CAUSE, ...DECLINE_CODES, OTHER_CAUSE];

/** Counters of payments: statuses, outcomes of attempts, and notifications that need a person. */
@Injectable()
export class PaymentMetrics {
  private readonly statuses;
  private readonly attempts;
  private readonly alarms;
  private readonly disputes;

  constructor(metrics: Metrics, providers: ProviderRegistry) {
    this.statuses = metrics.counter({
      name: 'payments_total',
      help: 'Changes of payments to a status; pending: created payments',
      labels: { status: PAYMENT_STATUSES },
    });
    const ends = ATTEMPT_OUTCOMES.flatMap((outcome) =>
      (isDecline(outcome) ? CAUSES : [NO_CAUSE]).map((cause) => ({ outcome, cause })),
    );
    this.attempts = metrics.counter({
      name: 'payment_attempts_total',
      help:
        'Outcomes of attempts at providers; an attempt that is unknown or processing is counted again when it has its final ' +
        'outcome. cause: our decline code',
      labels: { provider: providers.names(), outcome: ATTEMPT_OUTCOMES, cause: CAUSES },
      series: providers.names().flatMap((provider) => ends.map((end) => ({ provider, ...end }))),
    });
    this.alarms = metrics.counter({
      name: 'provider_notification_alarms_total',
      help: 'Notifications that contradict the payment and need a person',
      labels: { provider: providers.names(), reason: ALARM_REASONS },
    });
    this.disputes = metrics.counter({
      name: 'dispute_changes_total',
      help: 'Changes of disputes that providers reported, by the status after the change',
      labels: { provider: providers.names(), status: DISPUTE_STATUSES },
    });
  }

  entered(status: PaymentStatus): void {
    this.statuses.inc({ status });
  }

  ended(provider: string, { outcome, declineCode }: Pick<AttemptEnd, 'outcome' | 'declineCode'>): void {
    this.attempts.inc({ provider, outcome, cause: causeOf(outcome, declineCode) });
  }

  alarmed(provider: string, reason: AlarmReason): void {
    this.alarms.inc({ provider, reason });
  }

  disputed(provider: string, status: DisputeStatus): void {
    this.disputes.inc({ provider, status });
  }
}

const isDecline = (outcome: AttemptEnd['outcome']): boolean => outcome === 'declined' || outcome === 'soft_declined';

/** A provider's own code is `other`. */
function causeOf(outcome: AttemptEnd['outcome'], code: string | null): string {
  if (!isDecline(outcome) || code === null) return NO_CAUSE;
  return KNOWN_CAUSES.has(code) ? code : OTHER_CAUSE;
}
