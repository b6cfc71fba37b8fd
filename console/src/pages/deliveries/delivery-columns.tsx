import type { Schema } from '@payment-orchestrator/client';
import { Link } from '@tanstack/react-router';
import { StatusBadge } from '../../ui/badge';
import type { Column } from '../../ui/data-table';
import { ObjectLink } from '../../ui/object-link';
import { None, Time } from '../../ui/values';

type Delivery = Schema<'Delivery'>;

export const deliveryColumns = (shops: ReadonlyMap<number, Schema<'Shop'>>): Column<Delivery>[] => [
  {
    title: 'Delivery',
    cell: ({ id }) => (
      <Link to="/deliveries/$deliveryId" params={{ deliveryId: String(id) }}>
        {id}
      </Link>
    ),
  },
  { title: 'Status', cell: (delivery) => <Outcome {...delivery} /> },
  {
    title: 'Payment',
    cell: ({ payment_id: id, payment_status: status }) => (
      <span>
        <ObjectLink type="payment" id={id} /> <span className="muted">{status}</span>
      </span>
    ),
  },
  { title: 'Shop', cell: ({ shop_id: id }) => <ShopName shop={shops.get(id)} id={id} /> },
  { title: 'Address', cell: ({ webhook_endpoint: address }) => <span className="delivery-address">{address}</span> },
  { title: 'Attempts', isNumber: true, cell: ({ attempt_count: count }) => count },
  { title: 'Created', cell: ({ created_at: time }) => <Time value={time} /> },
  { title: 'Next attempt', cell: ({ next_attempt_at: time }) => (time ? <Time value={time} /> : <None />) },
];

/** The status, and why it is not delivered: the latest answer, or the code of why there was none. */
const Outcome = ({ status, last_status_code: code, last_error: error }: Delivery) => (
  <span className="row">
    <StatusBadge status={status} />
    {status !== 'delivered' && (code ?? error) !== null && <code>{code ?? error}</code>}
  </span>
);

export const ShopName = ({ shop, id }: { shop: Schema<'Shop'> | undefined; id: number }) => (
  <ObjectLink type="shop" id={id}>
    <bdi>{shop?.name ?? `Shop ${id}`}</bdi>
  </ObjectLink>
);
