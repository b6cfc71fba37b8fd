import type { Schema } from '@payment-orchestrator/client';
import { type Bar, Bars, Legend } from '../../../ui/bars';
import { Card } from '../../../ui/card';
import { DataTable } from '../../../ui/data-table';
import { Time } from '../../../ui/values';
import { type Hour, dayOf } from './day-of-hours';
import { msText } from '../endpoint-filter';

const COLORS = { succeeded: 'var(--series-2)', failed: 'var(--bad)' };
const hourText = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

/** The attempts of the last 24 hours, by the hour in which they ended. */
export function EndpointHours({ endpoint }: { endpoint: Schema<'EndpointDetail'> }) {
  const hours = dayOf(endpoint);
  return (
    <Card title="Attempts per hour" actions={<Legend items={Object.entries(COLORS)} />}>
      <Bars
        bars={hours.map(barOf)}
        height={120}
        label={`Attempts per hour: ${endpoint.delivered} succeeded, ${endpoint.attempts - endpoint.delivered} failed`}
      />
      <p className="chart-ends muted small" aria-hidden="true">
        <span>{hourText.format(hours[0]!.at)}</span>
        <span>now</span>
      </p>
      {endpoint.hours.length > 0 && (
        <details>
          <summary className="small">As a table</summary>
          <DataTable
            caption="Attempts per hour"
            rows={[...endpoint.hours].reverse()}
            rowKey={({ hour }) => hour}
            columns={[
              { title: 'Hour', cell: ({ hour }) => <Time value={hour} /> },
              { title: 'Attempts', cell: ({ attempts }) => attempts, isNumber: true },
              { title: 'Failed', cell: ({ attempts, delivered }) => attempts - delivered, isNumber: true },
              { title: 'Answer p50', cell: ({ answer_ms_p50: ms }) => msText(ms), isNumber: true },
              { title: 'Answer p95', cell: ({ answer_ms_p95: ms }) => msText(ms), isNumber: true },
            ]}
          />
        </details>
      )}
    </Card>
  );
}

const barOf = ({ at, succeeded, failed }: Hour): Bar => ({
  title: `${hourText.format(at)}: ${succeeded} succeeded, ${failed} failed`,
  parts: [
    { value: succeeded, color: COLORS.succeeded },
    { value: failed, color: COLORS.failed },
  ],
});
