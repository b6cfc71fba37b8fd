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
import { filtersOf, type PaymentFilters } from './payment-filters';
import './payments.css';

type Payment = Schema<'Payment'>;

const PAUSE_MS = 1_500;
/** A list that was read on further than this is not read again by itself. */
const LIVE_PAGES = 2;

const COLUMNS: Column<Payment>[] = [
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
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
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
  const list = useList('/payments', { query: filters });
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
    <Page title="Payments" description="Newest first. What changes is shown by itself.">
      <PaymentFilterBar filters={filters} apply={(search) => void navigate({ to: '/payments', search })} />
      {isStale && !isLive && (
        <div className="notice" role="status">
          <span>Payments have changed since this list was read.</span>
          <Button onClick={reload}>Read it again</Button>
        </div>
      )}
      <List
        list={list}
        caption="Payments, newest first"
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty={<NoPayments filters={filters} />}
      />
    </Page>
  );
}

const NoPayments = ({ filters }: { filters: PaymentFilters }) =>
  Object.keys(filters).length > 0 ? (
    <EmptyState title="No payment matches">
      <p>Take away a filter, or look at another time.</p>
    </EmptyState>
  ) : (
    <EmptyState title="No payments yet">
      <p>
        They come from <code>POST /payments</code>: your client needs a <PageLink to="/shops">shop</PageLink> and a{' '}
        <PageLink to="/flows">flow</PageLink> first. <a href="/docs">Try it out in the API documentation</a>.
      </p>
    </EmptyState>
  );
