import type { Schema } from '@payment-orchestrator/client';
import { useState } from 'react';
import { useShops } from '../../../api/use-shops';
import { useCan } from '../../../api/session';
import { Button } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { ObjectLink } from '../../../ui/object-link';
import { Facts, Id, None, Time } from '../../../ui/values';
import { CurrentRotation } from '../../shops/current-rotation';
import { AUTH_NAMES } from '../form/endpoint-values';
import { MissingRight } from '../../../ui/missing-right';

type Detail = Schema<'EndpointDetail'>;

/** The settings of a standing endpoint; its secret only for a client that may read it. */
export const SettingsCard = ({ endpoint }: { endpoint: Detail }) => (
  <Card title="Settings">
    <Facts
      facts={[
        ['Description', endpoint.description],
        ['Shops', <Shops ids={endpoint.shop_ids} />],
        ['Format', endpoint.format],
        ['Headers', <Codes values={endpoint.header_names ?? []} />],
        ['Authentication', <Auth auth={endpoint.auth} />],
        ['Requests per second', endpoint.max_per_second ?? 'no limit of its own'],
        ['On recovery', endpoint.redeliver_on_recovery ? 'sends again what has failed' : 'sends nothing again'],
        ['Secret', <Secret secret={endpoint.secret} />],
        ['Created', <Time value={endpoint.created_at} />],
        ['Changed', <Time value={endpoint.updated_at} />],
      ]}
    />
    <div className="stack">
      <h3>Events</h3>
      <Codes values={endpoint.event_types ?? []} />
    </div>
    <CurrentRotation activeFrom={endpoint.secret_active_from} expiresAt={endpoint.previous_secret_expires_at} />
  </Card>
);

const Codes = ({ values }: { values: readonly string[] }) =>
  values.length === 0 ? (
    <None />
  ) : (
    <span className="codes">
      {values.map((value) => (
        <code key={value}>{value}</code>
      ))}
    </span>
  );

function Shops({ ids }: { ids: readonly number[] | null }) {
  const shops = useShops();
  if (ids === null) return <>all</>;
  return (
    <span className="codes">
      {ids.map((id) => (
        <ObjectLink key={id} type="shop" id={id}>
          <bdi>{shops.get(id)?.name ?? `Shop ${id}`}</bdi>
        </ObjectLink>
      ))}
    </span>
  );
}

function Auth({ auth }: { auth: Detail['auth'] }) {
  if (auth === null) return <None />;
  const known = [auth.username, auth.token_url, auth.client_id, auth.scope, auth.audience, auth.resource].filter(
    (value) => value !== null,
  );
  return (
    <>
      {AUTH_NAMES[auth.type]}
      <span className="small muted"> {known.join(', ')}</span>
    </>
  );
}

/** Shown only after a click, as for shops. */
function Secret({ secret }: { secret: string | null }) {
  const [isShown, setShown] = useState(false);
  const mayRead = useCan('webhooks:secrets');
  if (!mayRead)
    return (
      <span className="muted">
        <MissingRight scope="webhooks:secrets" />
      </span>
    );
  if (isShown) return <Id value={secret} />;
  return <Button onClick={() => setShown(true)}>Show</Button>;
}
