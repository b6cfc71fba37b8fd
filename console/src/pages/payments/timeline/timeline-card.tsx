import type { Schema } from '@payment-orchestrator/client';
import { useCan } from '../../../api/session';
import { useFlowNames, useShops } from '../../../api/use-shops';
import { StatusBadge } from '../../../ui/badge';
import { Card } from '../../../ui/card';
import { MissingRight } from '../../../ui/missing-right';
import { PageLink } from '../../../ui/page-link';
import { Time } from '../../../ui/values';
import type { Entry, EntryKind } from './entry';
import { timelineOf } from './timeline';
import type { PaymentStory } from '../use-payment';

const KINDS: Record<EntryKind, string> = {
  payment: 'Payment',
  status: 'Status',
  attempt: 'Attempt',
  operation: 'Provider',
  refund: 'Refund',
  dispute: 'Dispute',
  settlement: 'Settlement',
  notification: 'Notification',
  delivery: 'Webhook',
};

const ISO = /^\d{4}-\d\d-\d\dT/;

export function TimelineCard({ payment, story }: { payment: Schema<'Payment'>; story: PaymentStory }) {
  const mayReadWebhooks = useCan('webhooks:read');
  const flowName = useFlowNames().get(payment.flow_id);
  const shops = useShops();
  const names = {
    flow: `Flow ${flowName ?? payment.flow_id}`,
    accountOf: (shopId: number) => shops.get(shopId)?.provider_account,
  };
  return (
    <Card title="Timeline">
      <ol className="timeline">
        {timelineOf(payment, story, names).map((entry) => (
          <TimelineEntry key={entry.key} entry={entry} />
        ))}
      </ol>
      {story.isCut && (
        <p className="muted small">
          Only the newest 100 refunds, and the newest 100 notifications and webhooks of each shop, are shown.
        </p>
      )}
      {story.settlements === null && story.operations.some(isSettled) && (
        <p className="muted small">
          The person who settled an operation is not shown. <MissingRight scope="audit:read" />
        </p>
      )}
      {!mayReadWebhooks && (
        <p className="muted small">
          Webhooks are not shown. <MissingRight scope="webhooks:read" />
        </p>
      )}
    </Card>
  );
}

/** The reason names no person. */
const isSettled = ({ reason }: Schema<'PaymentOperation'>): boolean => reason?.startsWith('settled as ') ?? false;

const TimelineEntry = ({ entry }: { entry: Entry }) => (
  <li className={`timeline-entry timeline-${entry.kind}`}>
    <div className="timeline-when small muted">
      <Time value={entry.at} />
      <span>{KINDS[entry.kind]}</span>
    </div>
    <div className="timeline-what">
      <h3>
        <bdi>{entry.to === undefined ? entry.title : <PageLink to={entry.to}>{entry.title}</PageLink>}</bdi>{' '}
        {entry.status !== undefined && <StatusBadge status={entry.status} />}
      </h3>
      <p>{entry.meaning}</p>
      {entry.facts.length > 0 && (
        <dl className="timeline-facts small">
          {entry.facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <bdi>{typeof value === 'string' && ISO.test(value) ? <Time value={value} /> : value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  </li>
);
