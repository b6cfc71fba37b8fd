import type { Schema } from '@payment-orchestrator/client';
import { Card } from '../../ui/card';
import { type Column, DataTable } from '../../ui/data-table';
import { ObjectLink } from '../../ui/object-link';
import { percentText } from '../../ui/percent';
import { Money, Name, None } from '../../ui/values';
import { type Figure, shopFigures, type ShopFigures } from './figures';
import { type ReportName, REPORTS } from './reports-search';

interface Props {
  report: ReportName;
  now: Schema<'Report'>;
  before: Schema<'Report'> | undefined;
}

/** The sums of each shop over the whole period. */
export function ShopsCard({ report, now, before }: Props) {
  const { title, label } = REPORTS.find(({ value }) => value === report)!;
  const columns: Column<ShopFigures>[] = [
    {
      title: 'Shop',
      isName: true,
      cell: ({ shopId, shop }) => (
        <ObjectLink type="shop" id={shopId}>
          <Name value={shop} />
        </ObjectLink>
      ),
    },
    {
      title: report === 'approvals' ? 'Attempts' : report === 'fees' ? 'Captures' : label,
      isNumber: true,
      cell: ({ now: { count } }) => count.toLocaleString('en'),
    },
    { title, isNumber: true, cell: ({ now: figure, currency }) => <Value figure={figure} currency={currency} /> },
    {
      title: 'Period before',
      isNumber: true,
      cell: ({ before: figure, currency }) => (before ? <Value figure={figure} currency={currency} /> : <None />),
    },
  ];
  return (
    <Card title={`${title} by shop`} isFlush>
      <DataTable
        caption={`${title} by shop, from ${now.from} to ${now.to}`}
        columns={columns}
        rows={shopFigures(report, now, before)}
        rowKey={({ shopId, currency }) => `${shopId} ${currency}`}
      />
    </Card>
  );
}

function Value({ figure: { value }, currency }: { figure: Figure; currency: string | undefined }) {
  if (value === null) return <None />;
  return currency === undefined ? percentText(value) : <Money amount={value} currency={currency} />;
}
