import { Link } from '@tanstack/react-router';
import { ageText } from '../../ui/age-text';
import { Badge } from '../../ui/badge';
import type { Column } from '../../ui/data-table';
import { Name, None } from '../../ui/values';
import { type Endpoint, msText, pendingText, rateText, toneOf } from './endpoint-filter';

/** `now`: the time when the rows were read. */
export const columns = (now: number): Column<Endpoint>[] => [
  {
    title: 'Endpoint',
    isName: true,
    cell: ({ id, origin, shop_name: shop }) => (
      <div>
        <Link to="/endpoints/$endpointId" params={{ endpointId: String(id) }} className="endpoint-origin">
          {origin}
        </Link>
        <div className="muted small">
          <Name value={shop} />
        </div>
      </div>
    ),
  },
  {
    title: 'Status',
    cell: ({ status, failing_since: since }) => (
      <div>
        <Badge tone={toneOf(status)}>{status}</Badge>
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

const LastError = ({ code, last_at: at, now }: { code: string; last_at: string; now: number }) => (
  <div>
    <code className="nowrap">{code}</code>
    <div className="muted small nowrap">{ageText(at, now)} ago</div>
  </div>
);
