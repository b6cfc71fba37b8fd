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

/** What each asks of a person. Typed by the API's own list: a new reason does not compile until it is here. */
const MEANINGS: Record<Alarm['reason'], string> = {
  amount_differs: 'The provider has another amount or currency than the payment.',
  refund_failed: 'A refund came to nothing after all, or one that this service did not ask for.',
  other_refund: 'Somebody gave the money back at the provider while a refund of ours was under way.',
  void_failed: 'A void came to nothing, or one failed that this service did not ask for.',
  capture_failed: 'The provider did not get the money of a payment that it had approved.',
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
        {amount !== null && currency !== null && <> with {money(Number(amount), currency)}</>}
        <div className="small muted">{MEANINGS[reason]}</div>
      </>
    ),
  },
];

/** Alarms that nobody has acknowledged. */
export function AlarmsCard({ rows }: { rows: Alarm[] }) {
  const mayWrite = useCan('payments:write');
  const asking = useDialog<Alarm>();
  const acknowledge: Column<Alarm> = {
    title: 'Actions',
    cell: (alarm) => (
      <Button look="quiet" onClick={() => asking.open(alarm)}>
        Acknowledge …
      </Button>
    ),
  };
  return (
    <Card title="Alarms of providers" isFlush={rows.length > 0}>
      {rows.length === 0 ? (
        <p className="muted">No provider has told anything that a person must look at.</p>
      ) : (
        <DataTable
          caption="Alarms of providers"
          rows={rows}
          rowKey={({ id }) => id}
          columns={mayWrite ? [...COLUMNS, acknowledge] : COLUMNS}
        />
      )}
      {asking.of && <AcknowledgeDialog alarm={asking.of} onClose={asking.close} />}
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
      title="Acknowledge an alarm"
      onClose={onClose}
      actions={
        <Button look="primary" isBusy={isPending} onClick={() => mutate()}>
          Acknowledge
        </Button>
      }
    >
      <p>{MEANINGS[reason]}</p>
      <p>
        Acknowledge it when you have done at the provider what was to be done. It leaves this list; nothing of the
        payment changes.
      </p>
      <ProblemNotice error={error} />
    </Dialog>
  );
}
