import type { Schema } from '@payment-orchestrator/client';
import { Badge, StatusBadge } from '../../ui/badge';
import type { Column } from '../../ui/data-table';
import { ObjectLink } from '../../ui/object-link';
import { Id, Money, Name, None, Time } from '../../ui/values';
import { dueOf } from './due-text';
import { dashboardsOf } from './provider-links';
import './disputes.css';

type Dispute = Schema<'Dispute'>;

/** The meaning of each kind. The type comes from the API: a new kind does not compile until it is added here. */
const KINDS: Record<Schema<'DisputeKind'>, string> = {
  inquiry: 'The issuer asks for information. No money has moved.',
  chargeback: 'The issuer took the amount back.',
  pre_arbitration: 'The issuer contests the evidence against a chargeback.',
};

/** The columns of a payment's disputes. `now`: the time when the rows were read. */
export const disputeColumns = (now: number): Column<Dispute>[] => [
  {
    title: 'Dispute',
    cell: ({ provider, provider_dispute_id: id, opened_at: at }) => (
      <div>
        <span className="dispute-id">
          <Id value={id} />
        </span>
        <div className="small">
          <Dashboards provider={provider} id={id} />
        </div>
        <div className="small muted">
          <Time value={at} />
        </div>
      </div>
    ),
  },
  { title: 'Amount', isNumber: true, cell: ({ amount, currency }) => <Money amount={amount} currency={currency} /> },
  {
    title: 'Kind and reason',
    cell: ({ kind, reason_code: code, network_reason_code: network }) => (
      <div>
        <span className="nowrap" title={KINDS[kind]}>
          {kind}
        </span>
        <div className="small muted">
          <Reason codes={[code, network]} />
        </div>
      </div>
    ),
  },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Evidence due', cell: (dispute) => <EvidenceDue dispute={dispute} now={now} /> },
];

/** The columns of a list over several payments, whose shops have these names by id. */
export const listedDisputeColumns = (now: number, shops: ReadonlyMap<number, { name: string }>): Column<Dispute>[] => {
  const [dispute, ...others] = disputeColumns(now);
  return [
    dispute!,
    { title: 'Payment', cell: ({ payment_id: id }) => <ObjectLink type="payment" id={id} /> },
    {
      title: 'Shop',
      isName: true,
      cell: ({ shop_id: id }) => (
        <ObjectLink type="shop" id={id}>
          <Name value={shops.get(id)?.name ?? `Shop ${id}`} />
        </ObjectLink>
      ),
    },
    ...others,
  ];
};

const Dashboards = ({ provider, id }: { provider: string; id: string }) => {
  const links = dashboardsOf(provider, id);
  if (links.length === 0) return <span className="muted">{provider}</span>;
  return (
    <span className="dispute-links">
      {links.map(({ label, href }) => (
        <a key={href} href={href} target="_blank" rel="noreferrer">
          {label}
        </a>
      ))}
    </span>
  );
};

const EvidenceDue = ({ dispute, now }: { dispute: Dispute; now: number }) => {
  const due = dueOf(dispute, now);
  return (
    <div>
      {due && <Badge tone={due.tone}>{due.text}</Badge>}
      <div className="small muted dispute-due">
        <Time value={dispute.evidence_due_by} />
      </div>
    </div>
  );
};

const Reason = ({ codes }: { codes: (string | null)[] }) => {
  const known = codes.filter((code) => code !== null);
  return known.length === 0 ? <None /> : <code>{known.join(' · ')}</code>;
};
