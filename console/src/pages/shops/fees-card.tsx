import type { Schema } from '@payment-orchestrator/client';
import { useCan } from '../../api/session';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { DataTable } from '../../ui/data-table';
import { useDialog } from '../../ui/use-dialog';
import { EditFeesDialog } from './edit-fees-dialog';
import { paymentsOf, priceOf } from './fee-form';

/** The fees of the provider, for routing by cost and for the costs of a backtest. */
export function FeesCard({ shop }: { shop: Schema<'Shop'> }) {
  const editing = useDialog();
  const mayWrite = useCan('shops:write');
  const edit = <Button onClick={() => editing.open()}>Edit</Button>;
  return (
    <Card title="Fees" isFlush={shop.fees.length > 0} actions={mayWrite ? edit : undefined}>
      {shop.fees.length === 0 ? (
        <p className="muted">
          Unknown. With the fees of its provider, flows can choose the cheapest shop, and a backtest shows the costs.
        </p>
      ) : (
        <DataTable
          caption="Fees by payment"
          rows={shop.fees}
          rowKey={(fee) => paymentsOf(fee)}
          columns={[
            { title: 'Payments', cell: paymentsOf },
            { title: 'Fee', cell: priceOf, isNumber: true },
          ]}
        />
      )}
      {editing.isOpen && <EditFeesDialog shop={shop} onClose={editing.close} />}
    </Card>
  );
}
