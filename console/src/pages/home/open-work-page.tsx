import type { Schema } from '@payment-orchestrator/client';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import { useLiveRefresh } from '../../api/use-live-refresh';
import { StatusBadge } from '../../ui/badge';
import { Card } from '../../ui/card';
import { DataTable } from '../../ui/data-table';
import { AlarmsCard } from './alarms-card';
import { PageLoading } from '../../ui/loading';
import { ObjectLink } from '../../ui/object-link';
import { WithScope } from '../../ui/with-scope';
import { Page } from '../../ui/page';
import { ProblemNotice } from '../../ui/problem-notice';
import { Id, Name, None, Time } from '../../ui/values';

export const OpenWorkPage = () => (
  <Page
    title="Open work"
    description="Alarms that need a decision, and operations and notifications that are not finished. Oldest 100 of each."
  >
    <WithScope scope="payments:read">
      <OpenWork />
    </WithScope>
  </Page>
);

function OpenWork() {
  const { data, error, refetch } = useQuery({
    queryKey: ['open-work'],
    queryFn: ({ signal }) => api.get('/insights/open-work', { signal }),
  });
  useLiveRefresh(['open-work']);
  if (!data) return error ? <ProblemNotice error={error} retry={() => void refetch()} /> : <PageLoading />;
  return (
    <>
      <ProblemNotice error={error} retry={() => void refetch()} />
      <AlarmsCard rows={data.data.alarms} />
      <Operations rows={data.data.operations} />
      <Notifications rows={data.data.notifications} />
    </>
  );
}

const Operations = ({ rows }: { rows: Schema<'OpenOperation'>[] }) => (
  <Card title="Open provider operations" isFlush={rows.length > 0}>
    {rows.length === 0 ? (
      <p className="muted">The outcome of every provider operation is known.</p>
    ) : (
      <DataTable
        caption="Open provider operations"
        rows={rows}
        rowKey={({ payment_id: payment, id }) => `${payment} ${id}`}
        columns={[
          { title: 'Payment', cell: (row) => <ObjectLink type="payment" id={row.payment_id} /> },
          { title: 'Operation', cell: ({ kind }) => kind },
          { title: 'State', cell: ({ state }) => <StatusBadge status={state} /> },
          { title: 'Shop', isName: true, cell: (row) => <Name value={row.shop_name} /> },
          { title: 'Since', cell: (row) => <Time value={row.created_at} /> },
          { title: 'Tries', cell: ({ tries }) => tries, isNumber: true },
          {
            title: 'Next try',
            cell: (row) => (row.next_try_at ? <Time value={row.next_try_at} /> : 'only by a person'),
          },
          { title: 'Reason', cell: ({ reason }) => reason ?? <None /> },
        ]}
      />
    )}
  </Card>
);

const Notifications = ({ rows }: { rows: Schema<'WaitingNotification'>[] }) => (
  <Card title="Unmatched notifications" isFlush={rows.length > 0}>
    {rows.length === 0 ? (
      <p className="muted">Every provider notification is matched with its payment.</p>
    ) : (
      <DataTable
        caption="Unmatched notifications"
        rows={rows}
        rowKey={({ id }) => id}
        columns={[
          { title: 'Received', cell: (row) => <Time value={row.received_at} /> },
          { title: 'Shop', isName: true, cell: (row) => <Name value={row.shop_name} /> },
          { title: 'Provider', cell: ({ provider }) => provider },
          { title: 'Transaction', cell: (row) => <Id value={row.provider_transaction_id} /> },
          {
            title: 'Payment',
            cell: (row) => (row.payment_id === null ? <None /> : <ObjectLink type="payment" id={row.payment_id} />),
          },
          { title: 'Waits for', cell: ({ reason }) => <code>{reason ?? 'processing'}</code> },
        ]}
      />
    )}
  </Card>
);
