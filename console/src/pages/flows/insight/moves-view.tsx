import type { Schema } from '@payment-orchestrator/client';
import { DataTable } from '../../../ui/data-table';
import { percentText } from '../../../ui/percent';
import type { ShopNames } from '../flow-queries';
import { bandOf, flowsOf, OTHERS, sankey, type SankeyNode } from './sankey';
import { countOf } from './texts';

interface Props {
  result: Pick<Schema<'ReplayResult'>, 'shops' | 'moves' | 'payments' | 'changed'>;
  nameOf: ShopNames;
}

/** Width of the diagram in its own units; it is stretched to the available space. */
const WIDTH = 100;
const SHOWN_MOVES = 50;

/** A Sankey diagram of payments between shops. Bands of payments that keep their shop are pale. */
export function MovesView({ result, nameOf }: Props) {
  const { payments, changed, moves } = result;
  if (changed === 0) return null;
  const { height, left, right, links } = sankey(flowsOf(result));
  const names = (id: number | null): string =>
    id === null
      ? 'no shop'
      : id === OTHERS
        ? 'other shops'
        : (result.shops.find(({ shop_id }) => shop_id === id)?.shop_name ?? nameOf(id));
  return (
    <div className="stack">
      <h3>Payments that change shops</h3>
      <div className="sankey" style={{ height }}>
        <Labels nodes={left} nameOf={names} payments={payments} />
        <svg
          viewBox={`0 0 ${WIDTH} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label="Payments from shop to shop; the table below has the same data"
        >
          {links.map((link) => (
            <path
              key={`${link.from} ${link.to}`}
              d={bandOf(link, WIDTH)}
              className={link.to === null ? 'band band-none' : link.isMove ? 'band band-move' : 'band'}
            >
              <title>{`${names(link.from)} → ${names(link.to)}: ${countOf(link.payments)}`}</title>
            </path>
          ))}
        </svg>
        <Labels nodes={right} nameOf={names} payments={payments} isRight />
      </div>
      <details>
        <summary>As a table</summary>
        <DataTable
          caption="Payments that change shops"
          columns={[
            { title: 'From', cell: ({ from_shop_id: id }) => <ShopName name={id === null ? 'declined' : names(id)} /> },
            {
              title: 'To',
              cell: ({ to_shop_id: id, declined }) => <ShopName name={declined ? 'declined' : names(id)} />,
            },
            { title: 'Payments', isNumber: true, cell: (move) => countOf(move.payments) },
          ]}
          rows={moves.slice(0, SHOWN_MOVES)}
          rowKey={({ from_shop_id: from, to_shop_id: to, declined }) => `${from} ${to} ${declined}`}
        />
        {moves.length > SHOWN_MOVES && (
          <p className="small muted">
            The {SHOWN_MOVES} largest of {countOf(moves.length)}.
          </p>
        )}
      </details>
    </div>
  );
}

const ShopName = ({ name }: { name: string }) => (
  <bdi className="truncate move-name" title={name}>
    {name}
  </bdi>
);

interface LabelsProps {
  nodes: readonly SankeyNode[];
  nameOf: (id: number | null) => string;
  payments: number;
  isRight?: boolean;
}

const Labels = ({ nodes, nameOf, payments, isRight = false }: LabelsProps) => (
  <div className={isRight ? 'sankey-labels sankey-right' : 'sankey-labels'} aria-hidden="true">
    {nodes.map(({ id, slotTop, slotHeight, top, height, payments: count }) => (
      <div key={id ?? 'none'}>
        <span className="sankey-bar" style={{ top, height: Math.max(2, height) }} />
        <span className="sankey-label" style={{ top: slotTop, height: slotHeight }}>
          <bdi className="truncate" title={nameOf(id)}>
            {nameOf(id)}
          </bdi>
          <span className="small muted number">{percentText(count / payments)}</span>
        </span>
      </div>
    ))}
  </div>
);
