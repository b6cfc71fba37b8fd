import { Injectable } from '@nestjs/common';
import { Metrics } from '../../platform/observability/metrics.js';
import { DECLINE_CODES } from '../../providers/decline-code.js';
import { ProviderRegistry } from '../../providers/provider-registry.service.js';
import { ALARM_REASONS, type AlarmReason } from '../../shared/alarm.js';
import { ATTEMPT_OUTCOMES, type AttemptEnd } from './attempt.js';
import { PAYMENT_STATUSES, type PaymentStatus } from './payment-state.js';

const NO_CAUSE = 'none';
const OTHER_CAUSE = 'other';
const KNOWN_CAUSES: ReadonlySet<string> = new Set(DECLINE_CODES);
const CAUSES = [NO_CAUSE, ...DECLINE_CODES, OTHER_CAUSE];

/** Counters of payments: statuses, ends of attempts, and notifications that a person must look at. */
@Injectable()
export class PaymentMetrics {
  private readonly statuses;
  private readonly attempts;
  private readonly alarms;

  constructor(metrics: Metrics, providers: ProviderRegistry) {
    this.statuses = metrics.counter({
      name: 'payments_total',
      help: 'Changes of payments into a status; pending: payments that were created',
      labels: { status: PAYMENT_STATUSES },
    });
    const ends = ATTEMPT_OUTCOMES.flatMap((outcome) =>
      (isDecline(outcome) ? CAUSES : [NO_CAUSE]).map((cause) => ({ outcome, cause })),
    );
    this.attempts = metrics.counter({
      name: 'payment_attempts_total',
      help:
        'What became known of attempts at providers; one that is unknown or processing first is counted again when it ' +
        'is settled. cause: our code of a decline',
      labels: { provider: providers.names(), outcome: ATTEMPT_OUTCOMES, cause: CAUSES },
      series: providers.names().flatMap((provider) => ends.map((end) => ({ provider, ...end }))),
    });
    this.alarms = metrics.counter({
      name: 'provider_notification_alarms_total',
      help: 'Notifications that contradict what is known in a way that a person must look at',
      labels: { provider: providers.names(), reason: ALARM_REASONS },
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
}

const isDecline = (outcome: AttemptEnd['outcome']): boolean => outcome === 'declined' || outcome === 'soft_declined';

/** A provider's own word, which may be any, is `other`. */
function causeOf(outcome: AttemptEnd['outcome'], code: string | null): string {
  if (!isDecline(outcome) || code === null) return NO_CAUSE;
  return KNOWN_CAUSES.has(code) ? code : OTHER_CAUSE;
}
