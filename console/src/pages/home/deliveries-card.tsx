import { Card } from '../../ui/card';
import { DataTable } from '../../ui/data-table';
import { PageLink } from '../../ui/page-link';
import { TimeChart, type Series } from '../../ui/time-chart';
import type { Overview } from './overview';

type Deliveries = Overview['deliveries'];

const MINUTE_MS = 60_000;
/** Each attempt is counted in one series. A delivery has up to four attempts. */
const SERIES: (Series & { key: 'delivered' | 'retried' | 'failed' })[] = [
  { key: 'delivered', label: 'delivered', color: 'var(--series-2)', isFilled: true },
  { key: 'retried', label: 'to be retried', color: 'var(--series-3)' },
  { key: 'failed', label: 'failed permanently', color: 'var(--bad)' },
];
const countText = (count: number): string => count.toLocaleString('en');
const minuteText = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

export function DeliveriesCard({ deliveries: { from, minutes } }: { deliveries: Deliveries }) {
  const start = Date.parse(from);
  const times = minutes.map((_, index) => (start + index * MINUTE_MS) / 1_000);
  const totals = SERIES.map(
    ({ key, label }) => `${countText(minutes.reduce((sum, minute) => sum + minute[key], 0))} ${label}`,
  );
  const rows = minutes
    .map((minute, index) => ({ at: start + index * MINUTE_MS, ...minute }))
    .filter(({ delivered, retried, failed }) => delivered + retried + failed > 0);
  return (
    <Card
      title="Webhook delivery attempts per minute, last hour"
      actions={
        <PageLink to="/deliveries" search={{ status: 'failed' }}>
          Failed deliveries
        </PageLink>
      }
    >
      <TimeChart
        label={`Webhook delivery attempts in the last hour: ${totals.join(', ')}`}
        times={times}
        series={SERIES}
        values={SERIES.map(({ key }) => minutes.map((minute) => minute[key]))}
      />
      {rows.length === 0 ? (
        <p className="muted small">No attempts in the last hour.</p>
      ) : (
        <details>
          <summary className="small">As a table: {totals.join(', ')}</summary>
          <DataTable
            caption="Attempts per minute"
            rows={rows}
            rowKey={({ at }) => at}
            columns={[
              { title: 'Minute', cell: ({ at }) => minuteText.format(at) },
              { title: 'Delivered', cell: ({ delivered }) => countText(delivered), isNumber: true },
              { title: 'To be retried', cell: ({ retried }) => countText(retried), isNumber: true },
              { title: 'Failed permanently', cell: ({ failed }) => countText(failed), isNumber: true },
            ]}
          />
        </details>
      )}
    </Card>
  );
}
