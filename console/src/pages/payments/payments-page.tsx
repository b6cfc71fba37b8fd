import type { Schema } from '@payment-orchestrator/client';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type LiveEvent, useLiveEvents } from '../../api/live-events';
import { useList } from '../../api/use-list';
import { useLiveRefresh } from '../../api/use-live-refresh';
import { StatusBadge } from '../../ui/badge';
import { Button } from '../../ui/button';
import type { Column } from '../../ui/data-table';
import { EmptyState } from '../../ui/empty-state';
import { FlowName } from '../../ui/flow-name';
import { List } from '../../ui/list';
import { Page } from '../../ui/page';
import { PageLink } from '../../ui/page-link';
import { Money, Name, Time } from '../../ui/values';
import { WithScope } from '../../ui/with-scope';
import { PaymentFilterBar } from './payment-filter-bar';
import { filtersOf, parametersOf, type PaymentFilters } from './payment-filters';
import { processingText } from './processing-text';
import './payments.css';

type Payment = Schema<'Payment'>;

const PAUSE_MS = 1_500;
/** A list with more loaded pages is not updated automatically. */
const LIVE_PAGES = 2;

/** `now`: the time when the rows were read. */
const columns = (now: number): Column<Payment>[] => [
  {
    title: 'Payment',
    cell: ({ id, created_at: createdAt }) => (
      <>
        <Link to="/payments/$paymentId" params={{ paymentId: String(id) }}>
          {id}
        </Link>
        <span className="payments-note">
          <Time value={createdAt} />
        </span>
      </>
    ),
  },
  {
    title: 'Status',
    cell: (payment) => (
      <>
        <StatusBadge status={payment.status} />
        <span className="payments-note">{processingText(payment, now)}</span>
      </>
    ),
  },
  { title: 'Amount', isNumber: true, cell: ({ amount, currency }) => <Money amount={amount} currency={currency} /> },
  { title: 'Shop', isName: true, cell: ({ shop }) => <Name value={shop.name} /> },
  { title: 'Flow', isName: true, cell: ({ flow_id: flowId }) => <FlowName id={flowId} /> },
  {
    title: 'Session',
    cell: ({ payment_session_id: session }) => (
      <code className="payments-id" title={session}>
        {session}
      </code>
    ),
  },
];

export const PaymentsPage = () => (
  <WithScope scope="payments:read" title="Payments">
    <Payments />
  </WithScope>
);

function Payments() {
  const filters = filtersOf(useSearch({ from: '/payments' }));
  const navigate = useNavigate();
  const order =
    (filters.lapses_from ?? filters.lapses_before) === undefined ? 'newest first' : 'those that lapse first';
  const list = useList('/payments', { query: parametersOf(filters) });
  const isLive = (list.data?.pages.length ?? 0) <= LIVE_PAGES;
  const [isStale, setStale] = useState(false);
  const reload = (): void => {
    setStale(false);
    void list.refetch();
  };
  const concerns = ({ type }: LiveEvent): boolean => type === 'payment.status_changed';
  useLiveRefresh(['/payments'], { isEnabled: isLive, pauseMs: PAUSE_MS, concerns });
  useLiveEvents((event) => !isLive && concerns(event) && setStale(true));
  return (
    <Page title="Payments" description={`All payments, ${order}. The list updates automatically.`}>
      <PaymentFilterBar filters={filters} apply={(search) => void navigate({ to: '/payments', search })} />
      {isStale && !isLive && (
        <div className="notice" role="status">
          <span>Payments have changed since this list was loaded.</span>
          <Button onClick={reload}>Reload</Button>
        </div>
      )}
      <List
        list={list}
        caption={`Payments, ${order}`}
        columns={columns(list.dataUpdatedAt)}
        rowKey={({ id }) => id}
        empty={<NoPayments filters={filters} />}
      />
    </Page>
  );
}

const NoPayments = ({ filters }: { filters: PaymentFilters }) =>
  Object.keys(filters).length > 0 ? (
    <EmptyState title="No payment matches">
      <p>Remove a filter, or choose another period.</p>
    </EmptyState>
  ) : (
    <EmptyState title="No payments yet">
      <p>
        Create payments with <code>POST /payments</code>. You need a <PageLink to="/shops">shop</PageLink> and a{' '}
        <PageLink to="/flows">flow</PageLink> first. <a href="/docs">Try it in the API documentation</a>.
      </p>
    </EmptyState>
  );
