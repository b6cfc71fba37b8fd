import type { Schema } from '@payment-orchestrator/client';
import { useQuery } from '@tanstack/react-query';
import { StatusBadge } from '../../ui/badge';
import { Card } from '../../ui/card';
import { DataTable } from '../../ui/data-table';
import { PageLoading } from '../../ui/loading';
import { WithScope } from '../../ui/with-scope';
import { ObjectLink } from '../../ui/object-link';
import { percentText } from '../../ui/percent';
import { ProblemNotice } from '../../ui/problem-notice';
import { Facts, Time } from '../../ui/values';
import { webhookStatsQuery } from './shop-queries';

const SHOWN = 5;

/** How many of the shop's payments have a webhook address, and the latest deliveries. */
export const WebhookStatsCard = ({ shopId }: { shopId: number }) => (
  <Card title="Webhooks">
    <WithScope scope="webhooks:read">
      <WebhookStats shopId={shopId} />
    </WithScope>
  </Card>
);

function WebhookStats({ shopId }: { shopId: number }) {
  const { data: stats, error, refetch } = useQuery(webhookStatsQuery(shopId));
  if (!stats) return error ? <ProblemNotice error={error} retry={() => void refetch()} /> : <PageLoading />;
  const { total_payments: payments, payments_with_webhooks: withWebhooks } = stats;
  return (
    <>
      <Facts
        facts={[
          ['Payments', payments.toLocaleString()],
          [
            'With a webhook endpoint',
            `${withWebhooks.toLocaleString()} ${payments === 0 ? '' : ` (${percentText(withWebhooks / payments)})`}`,
          ],
        ]}
      />
      <LatestDeliveries deliveries={stats.recent_webhooks.slice(0, SHOWN)} />
    </>
  );
}

function LatestDeliveries({ deliveries }: { deliveries: Schema<'Delivery'>[] }) {
  if (deliveries.length === 0) {
    return <p className="muted">No webhooks yet. A payment with a webhook_endpoint sends the first one.</p>;
  }
  return (
    <DataTable
      caption="Latest deliveries, newest first"
      rows={deliveries}
      rowKey={({ id }) => id}
      columns={[
        {
          title: 'Delivery',
          cell: ({ id, created_at: at }) => (
            <>
              <ObjectLink type="delivery" id={id} />
              <div className="small muted">
                <Time value={at} />
              </div>
            </>
          ),
        },
        { title: 'Payment status', cell: ({ payment_status: status }) => <span className="nowrap">{status}</span> },
        { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
      ]}
    />
  );
}
