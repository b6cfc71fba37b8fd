import type { Schema } from '@payment-orchestrator/client';
import { useList } from '../../api/use-list';
import { useLiveRefresh } from '../../api/use-live-refresh';
import { ActorName } from '../../ui/actor-name';
import { StatusBadge } from '../../ui/badge';
import { Card } from '../../ui/card';
import type { Column } from '../../ui/data-table';
import { List } from '../../ui/list';
import { Id, Money, None, Time } from '../../ui/values';

type Refund = Schema<'Refund'>;

const PAUSE_MS = 1_000;

const ORIGINS: Record<Refund['origin'], string> = { api: 'API', provider: 'provider' };

const COLUMNS: Column<Refund>[] = [
  { title: 'Refund', cell: ({ id }) => id },
  {
    title: 'Status',
    cell: ({ status, failure_code: code }) => (
      <>
        <StatusBadge status={status} /> {code !== null && <code>{code}</code>}
      </>
    ),
  },
  { title: 'Amount', isNumber: true, cell: ({ amount, currency }) => <Money amount={amount} currency={currency} /> },
  { title: 'Requested', cell: ({ created_at: at }) => <Time value={at} /> },
  {
    title: 'By',
    cell: ({ origin, requested_by: by }) => (
      <span className="payments-by">
        {by === null ? ORIGINS[origin] : <ActorName id={by.client_id} name={by.name} />}
      </span>
    ),
  },
  { title: 'Reason', isName: true, cell: ({ reason }) => (reason === null ? <None /> : <bdi>{reason}</bdi>) },
  {
    title: 'Provider’s id',
    cell: ({ provider_refund_id: id }) => (
      <span className="payments-reference">
        <Id value={id} />
      </span>
    ),
  },
];

/** The refunds of a payment, newest first, also those that were made at the provider. */
export function RefundsCard({ paymentId }: { paymentId: number }) {
  const path = { id: paymentId };
  const list = useList('/payments/{id}/refunds', { path });
  const concerns = ({ payment_id: id }: { payment_id: number | null }): boolean => id === paymentId;
  useLiveRefresh(['/payments/{id}/refunds', path], { pauseMs: PAUSE_MS, concerns });
  return (
    <Card title="Refunds" isFlush={(list.rows?.length ?? 0) > 0}>
      <List
        list={list}
        caption="Refunds, newest first"
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty={<p className="muted">The payment has no refunds.</p>}
      />
    </Card>
  );
}
