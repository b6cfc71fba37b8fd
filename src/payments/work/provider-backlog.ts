import { Injectable } from '@nestjs/common';
import { DatabaseGauges } from '../../platform/database/database-gauges.js';
import { ALARM_REASONS } from '../../shared/alarm.js';
import { OPERATION_KINDS } from '../money/state/operation.js';
import { COUNT_DISPUTES } from '../store/dispute.queries.js';
import { COUNT_OPEN_ALARMS, COUNT_WAITING } from '../store/notification.queries.js';
import { COUNT_OPEN } from '../store/operation.queries.js';

interface OpenOperations {
  kind: string;
  state: string;
  count: number;
  oldest_seconds: number;
}

const STATES = ['open', 'pending', 'unknown', 'stopped'];
/** Until evidence is due soon: the time of the alert DisputeEvidenceDue. */
const DUE_SOON_HOURS = 48;

/** Gauges of what is open at providers: operations, alarms, waiting notifications, disputes. Read from the rows, so they work without a worker. */
@Injectable()
export class ProviderBacklog {
  constructor(rows: DatabaseGauges) {
    rows.add<OpenOperations>(COUNT_OPEN, [
      {
        name: 'provider_operations_open',
        help: 'Operations at providers that are still open; stopped: no longer tried, a person must act',
        labels: { operation: OPERATION_KINDS, state: STATES },
        value: openByState,
      },
      {
        name: 'provider_operations_oldest_seconds',
        help: 'Age of the oldest operation at a provider that is still open; 0: there is none',
        labels: { operation: OPERATION_KINDS },
        value: oldestByKind,
      },
    ]);
    rows.add<{ reason: string; count: number }>(COUNT_OPEN_ALARMS, [
      {
        name: 'provider_alarms_open',
        help: 'Notifications that need a person and are not acknowledged',
        labels: { reason: ALARM_REASONS },
        value: (alarms) =>
          ALARM_REASONS.map((reason) => ({
            labels: { reason },
            value: alarms.find((row) => row.reason === reason)?.count ?? 0,
          })),
      },
    ]);
    rows.add<{ count: number; oldest_seconds: number }>(COUNT_WAITING, [
      {
        name: 'provider_notifications_waiting',
        help: 'Notifications that wait until they are legal changes of their payment',
        value: ([row]) => row!.count,
      },
      {
        name: 'provider_notifications_oldest_waiting_seconds',
        help: 'How long the oldest waiting notification has waited; 0: none waits',
        value: ([row]) => row!.oldest_seconds,
      },
    ]);
    const unfinished = {
      name: 'disputes_unfinished',
      help: 'Disputes that are open or under review',
      labels: { status: ['open', 'under_review'] },
      value: ([row]: Record<'open' | 'under_review', number>[]) =>
        (['open', 'under_review'] as const).map((status) => ({ labels: { status }, value: row![status] })),
    };
    const due = {
      name: 'disputes_evidence_due',
      help: `Open disputes whose evidence is due within ${DUE_SOON_HOURS} hours`,
      value: ([row]: { due: number }[]) => row!.due,
    };
    rows.add<Record<'open' | 'under_review' | 'due', number>>(COUNT_DISPUTES, [unfinished, due], () => [
      DUE_SOON_HOURS,
    ]);
  }
}

const openByState = (rows: OpenOperations[]) =>
  OPERATION_KINDS.flatMap((operation) =>
    STATES.map((state) => ({
      labels: { operation, state },
      value: rows.find((row) => row.kind === operation && row.state === state)?.count ?? 0,
    })),
  );

const oldestByKind = (rows: OpenOperations[]) =>
  OPERATION_KINDS.map((operation) => {
    const ages = rows.filter(({ kind }) => kind === operation).map((row) => row.oldest_seconds);
    return { labels: { operation }, value: Math.max(0, ...ages) };
  });
