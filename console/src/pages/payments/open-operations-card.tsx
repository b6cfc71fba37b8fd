import type { Schema } from '@payment-orchestrator/client';
import { useCan } from '../../api/session';
import { StatusBadge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { type Column, DataTable } from '../../ui/data-table';
import { MissingRight } from '../../ui/missing-right';
import { useDialog } from '../../ui/use-dialog';
import { Money, None, Time } from '../../ui/values';
import { isOpen } from './actions';
import type { Done } from './changes/change-dialog';
import { SettleDialog } from './changes/settle-dialog';

type Operation = Schema<'PaymentOperation'>;

const COLUMNS: Column<Operation>[] = [
  { title: 'Operation', cell: ({ kind }) => kind },
  { title: 'State', cell: ({ state }) => <StatusBadge status={state} /> },
  { title: 'Amount', isNumber: true, cell: ({ amount, currency }) => <Money amount={amount} currency={currency} /> },
  { title: 'Since', cell: ({ created_at: at }) => <Time value={at} /> },
  { title: 'Next try', cell: ({ next_try_at: at }) => (at === null ? 'only by a person' : <Time value={at} />) },
  { title: 'Last answer', cell: ({ last_answer: answer }) => (answer === null ? <None /> : <code>{answer}</code>) },
  { title: 'Reason', isName: true, cell: ({ reason }) => (reason === null ? <None /> : <bdi>{reason}</bdi>) },
];

interface Props {
  paymentId: number;
  operations: Operation[];
  changed: (result?: Done) => void;
}

/** Operations without an outcome, which a person can settle. Not shown if there are none. */
export function OpenOperationsCard({ paymentId, operations, changed }: Props) {
  const maySettle = useCan('payments:settle');
  const settling = useDialog<Operation>();
  const open = operations.filter(isOpen);
  const settle: Column<Operation> = {
    title: 'Actions',
    cell: (operation) => <Button onClick={() => settling.open(operation)}>Settle …</Button>,
  };
  return (
    <>
      {open.length > 0 && (
        <Card title="Open provider operations">
          <p className="small muted">
            The provider has not reported the outcome. The service asks again at the next try. Settle an operation by
            hand only if the service no longer asks, or never gets an answer.
            {!maySettle && (
              <>
                {' '}
                <MissingRight scope="payments:settle" />
              </>
            )}
          </p>
          <DataTable
            caption="Open provider operations"
            rows={open}
            rowKey={({ id }) => id}
            columns={maySettle ? [...COLUMNS, settle] : COLUMNS}
          />
        </Card>
      )}
      {/* the dialog stays open when the operation ends meanwhile, and the API then says so */}
      {settling.subject && (
        <SettleDialog
          paymentId={paymentId}
          operation={settling.subject}
          close={settling.close}
          done={(result) => {
            settling.close();
            changed(result);
          }}
          onError={() => changed()}
        />
      )}
    </>
  );
}
