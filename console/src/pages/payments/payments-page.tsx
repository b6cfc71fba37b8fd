import type { Schema } from '@payment-orchestrator/client';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
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
import { Money, Name, None, Time } from '../../ui/values';
import { WithScope } from '../../ui/with-scope';
import { customerText, methodText, orderOf, remarksOf } from './list-texts';
import { PaymentFilterBar } from './payment-filter-bar';
import { filtersOf, parametersOf, type PaymentFilters } from './payment-filters';
import { processingText } from './processing-text';
import './payments.css';

type Payment = Schema<'Payment'>;

const PAUSE_MS = 1_500;
/** A list with more loaded pages is not updated automatically. */
const LIVE_PAGES = 2;

const countries = new Intl.DisplayNames(undefined, { type: 'region' });

const Text = ({ value }: { value: string | undefined }) =>
  value === undefined ? <None /> : <bdi className="payments-text">{value}</bdi>;

/** The second line of a cell, if there is one. */
const Note = ({ children }: { children?: ReactNode }) =>
  children ? <span className="payments-note">{children}</span> : null;

/** `now`: the time when the rows were read. */
const columns = (now: number): Column<Payment>[] => [
  {
    title: 'Payment',
    cell: ({ id, created_at: createdAt }) => (
      <>
        <Link to="/payments/$paymentId" params={{ paymentId: String(id) }}>
          {id}
        </Link>
        <Note>
          <Time value={createdAt} />
        </Note>
      </>
    ),
  },
  {
    title: 'Order',
    cell: (payment) => (
      <>
        <Text value={orderOf(payment)} />
        <Note>{customerText(payment)}</Note>
      </>
    ),
  },
  {
    title: 'Status',
    cell: (payment) => (
      <>
        <StatusBadge status={payment.status} />
        <Note>{[processingText(payment, now), ...remarksOf(payment)].filter(Boolean).join(', ')}</Note>
      </>
    ),
  },
  { title: 'Amount', isNumber: true, cell: ({ amount, currency }) => <Money amount={amount} currency={currency} /> },
  {
    title: 'Card',
    cell: (payment) => (
      <>
        <Text value={methodText(payment)} />
        <Note>{payment.country && (countries.of(payment.country) ?? payment.country)}</Note>
      </>
    ),
  },
  {
    title: 'Shop',
    isName: true,
    cell: ({ shop, flow_id: flowId }) => (
      <>
        <Name value={shop.name} />
        <Note>
          <FlowName id={flowId} />
        </Note>
      </>
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
