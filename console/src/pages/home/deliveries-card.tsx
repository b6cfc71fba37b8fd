import { Card } from '../../ui/card';
import { Curve } from '../../ui/curve';
import { PageLink } from '../../ui/page-link';
import type { Overview } from './overview';

type Deliveries = Overview['deliveries'];

const MINUTE_MS = 60_000;
/** Each attempt is counted in one line. A delivery has up to four attempts. */
const LINES = [
  { key: 'delivered', label: 'delivered', color: 'var(--series-2)', isFilled: true },
  { key: 'retried', label: 'to be retried', color: 'var(--series-3)' },
  { key: 'failed', label: 'failed permanently', color: 'var(--bad)' },
] as const;
const minuteText = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

export function DeliveriesCard({ deliveries: { from, minutes } }: { deliveries: Deliveries }) {
  const start = Date.parse(from);
  const lines = LINES.map(({ key, ...line }) => ({ ...line, values: minutes.map((minute) => minute[key]) }));
  const totals = lines.map(
    ({ label, values }) => `${values.reduce((sum, value) => sum + value, 0).toLocaleString('en')} ${label}`,
  );
  return (
    <Card
      title="Webhook delivery attempts per minute, last hour"
      actions={
        <PageLink to="/deliveries" search={{ status: 'failed' }}>
          Failed deliveries
        </PageLink>
      }
    >
      <Curve
        label={`Webhook delivery attempts in the last hour: ${totals.join(', ')}`}
        points={minutes.map((_, index) => minuteText.format(start + index * MINUTE_MS))}
        lines={lines}
        table="Minute"
      />
      <p className="muted small">{totals.join(', ')}</p>
    </Card>
  );
}
