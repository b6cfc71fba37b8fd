import type { Schema } from '@payment-orchestrator/client';
import { Card } from '../../ui/card';
import { DataTable } from '../../ui/data-table';
import { disputeColumns } from '../disputes/dispute-columns';

interface Props {
  disputes: Schema<'Dispute'>[];
  /** The time when they were read. */
  now: number;
}

/** The disputes of a payment. Not shown if there are none, as for most payments. */
export const DisputesCard = ({ disputes, now }: Props) =>
  disputes.length > 0 && (
    <Card title="Disputes" isFlush>
      <DataTable caption="Disputes" rows={disputes} rowKey={({ id }) => id} columns={disputeColumns(now)} />
    </Card>
  );
