import type { Schema } from '@payment-orchestrator/client';
import { useEffect, useRef } from 'react';
import { Link } from '@tanstack/react-router';
import { useList } from '../../api/use-list';
import { StatusBadge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import type { Column } from '../../ui/data-table';
import { EmptyState } from '../../ui/empty-state';
import { List } from '../../ui/list';
import { percentText } from '../../ui/percent';
import { Money, None, Time } from '../../ui/values';
import { ApprovalsCurve } from './approvals-curve';
import { type ApprovalsSearch, type Field, FIELD_LABELS } from './approvals-search';

type Answer = Schema<'SegmentApprovals'>;
type Cell = Answer['cells'][number];
type Payment = Schema<'SegmentPayment'>;

interface Props {
  answer: Answer;
  fields: Field[];
  search: ApprovalsSearch;
  onClose: () => void;
}

/** The chosen cell in figures and over time, and the payments behind it. A click on a cell leads here. */
export function CellCard({ answer, fields, search, onClose }: Props) {
  const { cell: shopId, value = '', and_value: and = '' } = search;
  const values = [value, and].slice(0, fields.length);
  const filters = Object.fromEntries(fields.map((field, index) => [field, values[index]]));
  const { from, to } = answer;
  const query = { from, to, shop_id: shopId, ...filters };
  const list = useList('/insights/approvals/payments', { query });
  const title = useRef<HTMLSpanElement>(null);
  const chosen = [shopId, ...values].join();
  useEffect(() => {
    title.current!.focus({ preventScroll: true });
    title.current!.scrollIntoView({ block: 'start' });
  }, [chosen]);
  const cell = answer.cells.find(
    (each) => each.shop_id === shopId && fields.every((field, index) => (each.values[field] ?? '') === values[index]),
  );
  const named = fields.map((field, index) => `${FIELD_LABELS[field]} ${values[index] || 'unknown'}`).join(', ');
  return (
    <Card
      title={
        <span ref={title} tabIndex={-1} className="cell-title">
          {`${named}, ${cell?.shop_name ?? `shop ${shopId}`}`}
        </span>
      }
      actions={
        <Button variant="quiet" onClick={onClose}>
          Close
        </Button>
      }
    >
      {cell && <Facts cell={cell} />}
      <ApprovalsCurve of={named} query={query} />
      <List
        list={list}
        caption="Payments behind the cell, newest first"
        columns={COLUMNS}
        rowKey={({ payment_id: id }) => id}
        empty={<EmptyState title="No payments in this cell" />}
      />
    </Card>
  );
}

const Facts = ({
  cell: { approved, declined, failed, pending, before, decline_codes: codes, mean_answer_ms: ms },
}: {
  cell: Cell;
}) => (
  <ul className="cell-facts">
    <li>
      {approved} approved, {declined} declined, {failed} failed{pending > 0 && `, ${pending} pending`}
    </li>
    <li>{beforeText(before)}</li>
    <li>Answers took {ms === null ? 'an unknown time' : `${ms.toLocaleString('en')} ms on average`}</li>
    {codes.length > 0 && (
      <li>
        Declines:{' '}
        {codes.slice(0, MOST_CODES).map(({ code, count }) => (
          <span key={code} className="nowrap">
            <code>{code}</code> {count}{' '}
          </span>
        ))}
      </li>
    )}
  </ul>
);

const MOST_CODES = 6;

const beforeText = (before: Cell['before']): string => {
  if (before === null) return 'The period before is not counted';
  if (before.approval_rate === null) return 'No attempts in the period before';
  return `${percentText(before.approval_rate.estimate)} of ${before.attempts.toLocaleString('en')} in the period before`;
};

const COLUMNS: Column<Payment>[] = [
  {
    title: 'Payment',
    cell: ({ payment_id: id, created_at: at }) => (
      <div>
        <Link to="/payments/$paymentId" params={{ paymentId: String(id) }}>
          {id}
        </Link>
        <div className="small muted">
          <Time value={at} />
        </div>
      </div>
    ),
  },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Amount', isNumber: true, cell: ({ amount, currency }) => <Money amount={amount} currency={currency} /> },
  { title: 'Country', cell: ({ country }) => country ?? <None /> },
  {
    title: 'Attempts at the shop',
    cell: ({ attempts }) => (
      <div>
        {attempts.map(({ number, outcome, decline_code: code }) => (
          <div key={number}>
            <StatusBadge status={outcome} /> {code && <code>{code}</code>}
          </div>
        ))}
      </div>
    ),
  },
  { title: 'Card', cell: ({ attempts }) => <CardFacts card={attempts[0]?.card} /> },
];

const CardFacts = ({ card }: { card: Payment['attempts'][number]['card'] | undefined }) => {
  const facts = card ? [card.scheme, card.funding, card.issuer_country, card.bin].filter((fact) => fact !== null) : [];
  return facts.length === 0 ? <None /> : <span className="small">{facts.join(' · ')}</span>;
};
