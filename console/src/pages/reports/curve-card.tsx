import type { Schema } from '@payment-orchestrator/client';
import { Card } from '../../ui/card';
import { Curve } from '../../ui/curve';
import { mainCurrency, valuesOf } from './figures';
import { figureText } from './figure-text';
import { type ReportName, REPORTS } from './reports-search';

interface Props {
  report: ReportName;
  now: Schema<'Report'>;
  before: Schema<'Report'> | undefined;
}

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const month = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** The figure of all shops over time, in the currency with the most rows. */
export function CurveCard({ report, now, before }: Props) {
  const currency = mainCurrency(now);
  const { title } = REPORTS.find(({ value }) => value === report)!;
  const name = [title, currency, `by ${now.interval}`].filter(Boolean).join(' ');
  const values = valuesOf(report, now, currency);
  const then = before && valuesOf(report, before, currency);
  const format = now.interval === 'month' ? month : day;
  return (
    <Card title={name}>
      <Curve
        label={`${name}, from ${now.from} to ${now.to}`}
        points={now.periods.map((period) => format.format(new Date(period)))}
        lines={[
          ...(then
            ? [
                {
                  label: 'period before',
                  color: 'var(--series-5)',
                  values: values.map((_, index) => then[index] ?? null),
                  isDashed: true,
                },
              ]
            : []),
          { label: 'this period', color: 'var(--series-1)', values },
        ]}
        valueText={(value) => figureText(report, value)}
        minStep={report === 'approvals' ? 0.01 : 1}
        isCropped={report === 'approvals'}
        table={now.interval === 'day' ? 'Day' : now.interval === 'week' ? 'Week from' : 'Month'}
      />
    </Card>
  );
}
