import type { Schema } from '@payment-orchestrator/client';
import { Link } from '@tanstack/react-router';
import { StatusBadge } from '../../ui/badge';
import type { Column } from '../../ui/data-table';
import { ObjectLink } from '../../ui/object-link';
import { Name, Time } from '../../ui/values';

type Delivery = Schema<'Delivery'>;

export const deliveryColumns = (shops: ReadonlyMap<number, Schema<'Shop'>>): Column<Delivery>[] => [
  { title: 'Delivery', cell: (delivery) => <Identity {...delivery} /> },
  { title: 'Status', cell: (delivery) => <Outcome {...delivery} /> },
  {
    title: 'Payment',
    cell: ({ payment_id: id, payment_status: status }) => (
      <>
        <ObjectLink type="payment" id={id} /> <span className="deliveries-note nowrap">{status}</span>
      </>
    ),
  },
  { title: 'Shop', isName: true, cell: ({ shop_id: id }) => <ShopName shop={shops.get(id)} id={id} /> },
  {
    title: 'Address',
    isName: true,
    cell: ({ webhook_endpoint: address }) => (
      <span className="delivery-address" title={address}>
        {address}
      </span>
    ),
  },
];

const Identity = ({ id, created_at: time }: Delivery) => (
  <>
    <Link to="/deliveries/$deliveryId" params={{ deliveryId: String(id) }}>
      {id}
    </Link>{' '}
    <span className="deliveries-note">
      <Time value={time} />
    </span>
  </>
);

/** The status. If it is not delivered: the status code of the latest answer, or the error code. */
const Outcome = ({ status, last_status_code: code, last_error: error, attempt_count: count, ...rest }: Delivery) => (
  <>
    <span className="row">
      <StatusBadge status={status} />
      {status !== 'delivered' && (code ?? error) !== null && <code className="nowrap">{code ?? error}</code>}
    </span>
    <span className="deliveries-note nowrap">
      {count} {count === 1 ? 'attempt' : 'attempts'}
      {rest.next_attempt_at !== null && (
        <>
          , next <Time value={rest.next_attempt_at} />
        </>
      )}
    </span>
  </>
);

export const ShopName = ({ shop, id }: { shop: Schema<'Shop'> | undefined; id: number }) => (
  <ObjectLink type="shop" id={id}>
    <Name value={shop?.name ?? `Shop ${id}`} />
  </ObjectLink>
);
