import { useState } from 'react';
import { type Bar, Bars, Legend } from '../../ui/bars';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { DataTable } from '../../ui/data-table';
import { ObjectLink } from '../../ui/object-link';
import { EmptyState } from '../../ui/empty-state';
import { PageLink } from '../../ui/page-link';
import { Name } from '../../ui/values';
import { approvalRate, busiestFirst, type Overview, type ShopApprovals, totalOf } from './overview';

const SHOWN = 8;
const HOUR_MS = 3_600_000;
const COLORS = { approved: 'var(--series-2)', declined: 'var(--series-3)', failed: 'var(--bad)' };
const hourText = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

export function ApprovalsCard({ approvals: { from, shops } }: { approvals: Overview['approvals'] }) {
  const [isAll, setAll] = useState(false);
  const rows = busiestFirst(shops);
  const shown = isAll ? rows : rows.slice(0, SHOWN);
  return (
    <Card
      title="Approvals per shop and hour, last 24 hours"
      isFlush
      actions={<Legend items={Object.entries(COLORS)} />}
    >
      {rows.length === 0 ? (
        <EmptyState title="No shops yet">
          <PageLink to="/shops">Create a shop</PageLink>
        </EmptyState>
      ) : (
        <DataTable
          caption="Approvals per shop and hour"
          columns={columns(from)}
          rows={shown}
          rowKey={({ shop_id: id }) => id}
        />
      )}
      {rows.length > SHOWN && (
        <div className="approvals-more">
          <Button variant="quiet" onClick={() => setAll(!isAll)}>
            {isAll ? `Show the busiest ${SHOWN}` : `Show all ${rows.length} shops`}
          </Button>
        </div>
      )}
    </Card>
  );
}

const columns = (from: string) => [
  {
    title: 'Shop',
    isName: true,
    cell: ({ shop_id: id, shop_name: name }: ShopApprovals) => (
      <ObjectLink type="shop" id={id}>
        <Name value={name} />
      </ObjectLink>
    ),
  },
  {
    title: 'Per hour, latest last',
    cell: (shop: ShopApprovals) => (
      <div className="hours-cell">
        <Bars bars={barsOf(shop, from)} label={inWords(shop)} height={36} />
      </div>
    ),
  },
  { title: 'Approval rate', cell: (shop: ShopApprovals) => <strong>{approvalRate(shop)}</strong>, isNumber: true },
  { title: 'Attempts', cell: (shop: ShopApprovals) => totalOf(shop).toLocaleString('en'), isNumber: true },
];

const barsOf = ({ hours }: ShopApprovals, from: string): Bar[] =>
  hours.map((hour, index) => ({
    title: `${hourText.format(Date.parse(from) + index * HOUR_MS)}: ${inWords(hour)}`,
    parts: (['approved', 'declined', 'failed'] as const).map((name) => ({ value: hour[name], color: COLORS[name] })),
  }));

const inWords = ({ approved, declined, failed }: Pick<ShopApprovals, keyof typeof COLORS>): string =>
  `${approved} approved, ${declined} declined, ${failed} failed`;
