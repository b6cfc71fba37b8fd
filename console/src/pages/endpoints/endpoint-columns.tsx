import { Link } from '@tanstack/react-router';
import { ageText } from '../../ui/age-text';
import { Badge } from '../../ui/badge';
import type { Column } from '../../ui/data-table';
import { Name, None } from '../../ui/values';
import { type Endpoint, msText, pendingText, rateText, toneOf, toneOfState } from './endpoint-filter';

/** `now`: the time when the rows were read. */
export const columns = (now: number): Column<Endpoint>[] => [
  {
    title: 'Endpoint',
    isName: true,
    cell: ({ id, origin, url, ...rest }) => (
      <div>
        <Link to="/endpoints/$endpointId" params={{ endpointId: String(id) }} className="endpoint-origin">
          {url ?? origin}
        </Link>
        <div className="muted small">
          <Purpose {...rest} />
        </div>
      </div>
    ),
  },
  {
    title: 'Status',
    cell: ({ status, state, failing_since: since }) => (
      <div>
        <span className="row">
          {state !== null && state !== 'active' && <Badge tone={toneOfState(state)}>{state}</Badge>}
          <Badge tone={toneOf(status)}>{status}</Badge>
        </span>
        {since !== null && <div className="muted small nowrap">for {ageText(since, now)}</div>}
      </div>
    ),
  },
  {
    title: 'Success rate',
    isNumber: true,
    cell: (endpoint) => (
      <div>
        {rateText(endpoint)}
        <div className="muted small nowrap">of {endpoint.attempts.toLocaleString('en')} attempts</div>
      </div>
    ),
  },
  {
    title: 'Answer p50',
    isNumber: true,
    cell: ({ answer_ms_p50: ms }) => <span className="nowrap">{msText(ms)}</span>,
  },
  {
    title: 'Answer p95',
    isNumber: true,
    cell: ({ answer_ms_p95: ms }) => <span className="nowrap">{msText(ms)}</span>,
  },
  {
    title: 'Pending',
    isNumber: true,
    cell: ({ pending, oldest_due_at: due }) => (
      <div>
        {pendingText(pending)}
        {due !== null && <div className="muted small nowrap">due for {ageText(due, now)}</div>}
      </div>
    ),
  },
  { title: 'Last error', cell: ({ errors: [last] }) => (last ? <LastError {...last} now={now} /> : <None />) },
];

/** The shop of payments' addresses; for a standing endpoint its description, and how many types of events it gets. */
const Purpose = ({
  kind,
  description,
  event_types: types,
  shop_name: shop,
}: Omit<Endpoint, 'id' | 'origin' | 'url'>) => {
  if (kind === 'payment') return shop === null ? null : <Name value={shop} />;
  return (
    <>
      {description !== null && <Name value={description} />}
      <span>standing, {types?.length === 1 ? types[0] : `${types?.length ?? 0} types of events`}</span>
    </>
  );
};

const LastError = ({ code, last_at: at, now }: { code: string; last_at: string; now: number }) => (
  <div>
    <code className="nowrap">{code}</code>
    <div className="muted small nowrap">{ageText(at, now)} ago</div>
  </div>
);
