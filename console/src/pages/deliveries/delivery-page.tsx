import type { Schema } from '@payment-orchestrator/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api } from '../../api/client';
import { eventText } from '../../api/event-types';
import { useLiveEvents } from '../../api/live-events';
import { useCan } from '../../api/session';
import { useShops } from '../../api/use-shops';
import { StatusBadge } from '../../ui/badge';
import { Card } from '../../ui/card';
import { PageLoading } from '../../ui/loading';
import { WithScope } from '../../ui/with-scope';
import { ObjectLink } from '../../ui/object-link';
import { Page } from '../../ui/page';
import { ProblemNotice } from '../../ui/problem-notice';
import { Facts, Id, None, Time } from '../../ui/values';
import { AttemptsCard } from './attempts-card';
import './deliveries.css';
import { ShopName } from './delivery-columns';
import { DeliveryNotice } from './delivery-notice';
import { RequestCard } from './request-card';
import { RetryDelivery } from './retry-delivery';
import { subjectOf } from './subject';
import { VerifyCard } from './verify-card';

const route = getRouteApi('/deliveries/$deliveryId');
/** Poll interval while the delivery is pending: an attempt has no event. */
const PENDING_MS = 2_000;

type Delivery = Schema<'DeliveryDetail'>;

export const DeliveryPage = () => (
  <WithScope scope="webhooks:read" title="Delivery">
    <OneDelivery />
  </WithScope>
);

function OneDelivery() {
  const { deliveryId } = route.useParams();
  const mayWrite = useCan('webhooks:write');
  const { data: delivery, error, refetch } = useDelivery(deliveryId);
  return (
    <Page
      title={`Delivery ${delivery?.id ?? deliveryId}`}
      heading={<Heading id={delivery?.id ?? deliveryId} status={delivery?.status} />}
      description={<Link to="/deliveries">All deliveries</Link>}
      actions={delivery && mayWrite && <RetryDelivery key={delivery.id} delivery={delivery} />}
    >
      <ProblemNotice error={error} retry={() => void refetch()} />
      {delivery ? <Detail delivery={delivery} /> : !error && <PageLoading />}
    </Page>
  );
}

function useDelivery(deliveryId: string) {
  const queries = useQueryClient();
  const queryKey = ['/webhooks/deliveries/{id}', deliveryId];
  useLiveEvents(({ type }) => {
    if (type === 'delivery.failed') void queries.invalidateQueries({ queryKey });
  });
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      // the API also takes a webhook-id
      const path = { id: deliveryId as never };
      return (await api.get('/webhooks/deliveries/{id}', { params: { path }, signal })).data;
    },
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? PENDING_MS : false),
  });
}

const Heading = ({ id, status }: { id: string | number; status: Delivery['status'] | undefined }) => (
  <span className="row">
    Delivery {id} {status && <StatusBadge status={status} />}
  </span>
);

function Detail({ delivery }: { delivery: Delivery }) {
  const shops = useShops();
  return (
    <>
      <DeliveryNotice delivery={delivery} />
      <Card title="Delivery">
        <Facts
          facts={[
            ['Webhook id', <Id key="id" value={delivery.webhook_id} />],
            ['About', <About key="about" delivery={delivery} />],
            ['Shop', <ShopName key="shop" shop={shops.get(delivery.shop_id ?? 0)} id={delivery.shop_id} />],
            ['Endpoint', <Receiver key="endpoint" id={delivery.endpoint_id} />],
            ['Address', delivery.webhook_endpoint],
            ['Event', <code key="event">{delivery.event}</code>],
            ['Created', <Time key="created" value={delivery.created_at} />],
            ['Next attempt', <Time key="next" value={delivery.next_attempt_at} />],
            ['Delivered', <Time key="delivered" value={delivery.delivered_at} />],
          ]}
        />
      </Card>
      <AttemptsCard delivery={delivery} />
      <RequestCard delivery={delivery} />
      {delivery.shop_id !== null && <VerifyCard key={delivery.id} delivery={delivery} shopId={delivery.shop_id} />}
    </>
  );
}

function About({ delivery }: { delivery: Delivery }) {
  const subject = subjectOf(delivery);
  if (subject === undefined) return <None />;
  return (
    <>
      <ObjectLink type={subject.type} id={subject.id}>
        {subject.text}
      </ObjectLink>
      , {delivery.payment_status === null ? eventText(delivery.event) : `status changed to ${delivery.payment_status}`}
    </>
  );
}

const Receiver = ({ id }: { id: number | null }) =>
  id === null ? (
    <>the address of the payment</>
  ) : (
    <ObjectLink type="endpoint" id={id}>
      Endpoint {id}
    </ObjectLink>
  );
