import type { Schema } from '@payment-orchestrator/client';
import { useList } from '../../../api/use-list';
import { Card } from '../../../ui/card';
import type { Column } from '../../../ui/data-table';
import { List } from '../../../ui/list';
import { None, Time } from '../../../ui/values';
import { accountsText, cardText } from './method-facts';

type SavedMethod = Schema<'SavedMethod'>;

const COLUMNS: Column<SavedMethod>[] = [
  { title: 'Id', cell: ({ id }) => <code>{id}</code> },
  { title: 'Type', cell: ({ type }) => (type === null ? <None /> : <bdi>{type}</bdi>) },
  { title: 'Card', cell: ({ card }) => (card === null ? <None /> : cardText(card)) },
  { title: 'Accounts', cell: ({ options }) => accountsText(options) },
  { title: 'Saved', cell: ({ created_at: at }) => <Time value={at} /> },
];

/** The payment methods that the customer has saved, newest first. The API never returns their tokens. */
export function SavedMethodsCard({ customerId }: { customerId: number }) {
  const list = useList('/customers/{id}/payment-methods', { path: { id: customerId } });
  return (
    <Card title="Saved payment methods" isFlush={(list.rows?.length ?? 0) > 0}>
      <List
        list={list}
        caption="Saved payment methods, newest first"
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty={<p className="muted">The customer has saved no payment method.</p>}
      />
    </Card>
  );
}
