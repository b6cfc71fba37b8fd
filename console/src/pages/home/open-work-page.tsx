import type { Schema } from '@payment-orchestrator/client';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import { useLiveRefresh } from '../../api/use-live-refresh';
import { StatusBadge } from '../../ui/badge';
import { Card } from '../../ui/card';
import { type Column, DataTable } from '../../ui/data-table';
import { AlarmsCard } from './alarms-card';
import { DueDisputesCard } from './due-disputes-card';
import { PageLoading } from '../../ui/loading';
import { ObjectLink } from '../../ui/object-link';
import { WithScope } from '../../ui/with-scope';
import { Page } from '../../ui/page';
import { ProblemNotice } from '../../ui/problem-notice';
import { Id, Name, None, Time } from '../../ui/values';

type Operation = Schema<'OpenOperation'>;

export const OpenWorkPage = () => (
  <Page
    title="Open work"
    description="Alarms, disputes and operations that need a person, and operations and notifications that are not finished. At most 100 of each."
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
      <DueDisputesCard />
      <StoppedOperations rows={data.data.operations.filter(isStopped)} />
      <Operations rows={data.data.operations.filter((operation) => !isStopped(operation))} />
      <Notifications rows={data.data.notifications} />
    </>
  );
}

/** The service has given up: only a person can find out and settle the outcome. */
const isStopped = ({ next_try_at: next }: Operation): boolean => next === null;

const COLUMNS: Column<Operation>[] = [
  { title: 'Payment', cell: (row) => <ObjectLink type="payment" id={row.payment_id} /> },
  { title: 'Operation', cell: ({ kind }) => kind },
  { title: 'State', cell: ({ state }) => <StatusBadge status={state} /> },
  { title: 'Shop', isName: true, cell: (row) => <Name value={row.shop_name} /> },
  { title: 'Since', cell: (row) => <Time value={row.created_at} /> },
  { title: 'Tries', cell: ({ tries }) => tries, isNumber: true },
  { title: 'Reason', cell: ({ reason }) => reason ?? <None /> },
];
const [PAYMENT, ...OTHERS] = COLUMNS;

/** Not shown if there are none. */
const StoppedOperations = ({ rows }: { rows: Operation[] }) =>
  rows.length > 0 && (
    <Card title="Operations that a person must settle" isFlush>
      <DataTable
        caption="Operations that a person must settle"
        rows={rows}
        rowKey={({ payment_id: payment, id }) => `${payment} ${id}`}
        columns={[
          ...COLUMNS,
          {
            title: 'Actions',
            cell: (row) => (
              <ObjectLink type="payment" id={row.payment_id}>
                Settle at the payment
              </ObjectLink>
            ),
          },
        ]}
      />
    </Card>
  );

const Operations = ({ rows }: { rows: Operation[] }) => (
  <Card title="Open provider operations" isFlush={rows.length > 0}>
    {rows.length === 0 ? (
      <p className="muted">The outcome of every provider operation is known.</p>
    ) : (
      <DataTable
        caption="Open provider operations"
        rows={rows}
        rowKey={({ payment_id: payment, id }) => `${payment} ${id}`}
        columns={[PAYMENT!, { title: 'Next try', cell: (row) => <Time value={row.next_try_at} /> }, ...OTHERS]}
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
