import type { Schema } from '@payment-orchestrator/client';
import { Link } from '@tanstack/react-router';
import { eventText } from '../../api/event-types';
import { StatusBadge } from '../../ui/badge';
import type { Column } from '../../ui/data-table';
import { ObjectLink } from '../../ui/object-link';
import { Name, None, Time } from '../../ui/values';

type Delivery = Schema<'Delivery'>;

export const deliveryColumns = (shops: ReadonlyMap<number, Schema<'Shop'>>): Column<Delivery>[] => [
  { title: 'Delivery', cell: (delivery) => <Identity {...delivery} /> },
  { title: 'Status', cell: (delivery) => <Outcome {...delivery} /> },
  {
    title: 'Event',
    cell: (delivery) => <EventOf {...delivery} />,
  },
  { title: 'Shop', isName: true, cell: ({ shop_id: id }) => <ShopName shop={shops.get(id ?? 0)} id={id} /> },
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

/** The payment and its new status, or the event in words. */
const EventOf = ({ event, payment_id: id, payment_status: status }: Delivery) => (
  <>
    {id === null ? (
      eventText(event)
    ) : (
      <span className="nowrap">
        Payment <ObjectLink type="payment" id={id} />
      </span>
    )}{' '}
    <span className="deliveries-note">{status ?? (id === null ? null : eventText(event))}</span>
  </>
);

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

/** A missing shop: the event is of no shop. */
export const ShopName = ({ shop, id }: { shop: Schema<'Shop'> | undefined; id: number | null }) =>
  id === null ? (
    <None />
  ) : (
    <ObjectLink type="shop" id={id}>
      <Name value={shop?.name ?? `Shop ${id}`} />
    </ObjectLink>
  );
