import type { Schema } from '@payment-orchestrator/client';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { useCan } from '../../api/session';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { type Column, DataTable } from '../../ui/data-table';
import { Dialog } from '../../ui/dialog';
import { money } from '../../ui/money';
import { ObjectLink } from '../../ui/object-link';
import { ProblemNotice } from '../../ui/problem-notice';
import { useDialog } from '../../ui/use-dialog';
import { Name, None, Time } from '../../ui/values';

type Alarm = Schema<'OpenAlarm'>;

/** The meaning of each reason. The type comes from the API: a new reason does not compile until it is added here. */
const MEANINGS: Record<Alarm['reason'], string> = {
  amount_differs: 'The provider reports another amount or currency than the payment.',
  refund_failed: 'A refund failed after all, or a refund failed that this service did not request.',
  other_refund:
    'More was refunded than was captured, or someone refunded at the provider while a refund here had no answer.',
  void_failed: 'A void failed after all, or a void failed that this service did not request.',
  capture_failed: 'The provider approved the payment but could not collect the money.',
  payment_archived: 'The provider reports something new about a payment that was archived and deleted.',
};

const COLUMNS: Column<Alarm>[] = [
  { title: 'Received', cell: ({ received_at: at }) => <Time value={at} /> },
  {
    title: 'Payment',
    cell: ({ payment_id: id }) => (id === null ? <None /> : <ObjectLink type="payment" id={id} />),
  },
  { title: 'Shop', isName: true, cell: ({ shop_name: name }) => <Name value={name} /> },
  { title: 'Provider', cell: ({ provider }) => <span className="nowrap">{provider}</span> },
  {
    title: 'Alarm',
    isName: true,
    cell: ({ reason, amount, currency }) => (
      <>
        <code>{reason}</code>
        {amount !== null && currency !== null && <> with {money(amount, currency)}</>}
        <div className="small muted">{MEANINGS[reason]}</div>
      </>
    ),
  },
];

/** Alarms that are not acknowledged. */
export function AlarmsCard({ rows }: { rows: Alarm[] }) {
  const mayWrite = useCan('payments:write');
  const asking = useDialog<Alarm>();
  const acknowledge: Column<Alarm> = {
    title: 'Actions',
    cell: (alarm) => (
      <Button variant="quiet" onClick={() => asking.open(alarm)}>
        Acknowledge …
      </Button>
    ),
  };
  return (
    <Card title="Provider alarms" isFlush={rows.length > 0}>
      {rows.length === 0 ? (
        <p className="muted">There are no open provider alarms.</p>
      ) : (
        <DataTable
          caption="Provider alarms"
          rows={rows}
          rowKey={({ id }) => id}
          columns={mayWrite ? [...COLUMNS, acknowledge] : COLUMNS}
        />
      )}
      {asking.subject && <AcknowledgeDialog alarm={asking.subject} onClose={asking.close} />}
    </Card>
  );
}

function AcknowledgeDialog({ alarm: { id, reason }, onClose }: { alarm: Alarm; onClose: () => void }) {
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => api.post('/providers/notifications/{id}/acknowledge', { params: { path: { id } } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['open-work'] });
      onClose();
    },
  });
  return (
    <Dialog
      title="Acknowledge the alarm"
      onClose={onClose}
      actions={
        <Button variant="primary" isBusy={isPending} onClick={() => mutate()}>
          Acknowledge
        </Button>
      }
    >
      <p>{MEANINGS[reason]}</p>
      <p>
        Resolve the case at the provider first. Acknowledging only removes the alarm from this list. It does not change
        the payment.
      </p>
      <ProblemNotice error={error} />
    </Dialog>
  );
}
