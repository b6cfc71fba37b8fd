/** A cell of the answer, as far as the map needs it. */
export interface MapCell {
  shop_id: number;
  shop_name: string;
  values: Record<string, string | null>;
  attempts: number;
}

interface MapRow<Cell> {
  key: string;
  /** One per field; `null`: unknown. */
  values: (string | null)[];
  /** By shop. */
  cells: ReadonlyMap<number, Cell>;
}

export interface HeatMap<Cell> {
  /** The busiest first. */
  shops: { id: number; name: string }[];
  /** In the order of their first cells in the answer. */
  rows: MapRow<Cell>[];
}

/** Arranges cells: one row per combination of values, one column per shop. */
export function heatMapOf<Cell extends MapCell>(cells: readonly Cell[], fields: readonly string[]): HeatMap<Cell> {
  const rows = new Map<string, { values: (string | null)[]; cells: Map<number, Cell> }>();
  const shops = new Map<number, { id: number; name: string; attempts: number }>();
  for (const cell of cells) {
    const values = fields.map((field) => cell.values[field] ?? null);
    const key = JSON.stringify(values);
    const row = rows.get(key) ?? { values, cells: new Map<number, Cell>() };
    row.cells.set(cell.shop_id, cell);
    rows.set(key, row);
    const shop = shops.get(cell.shop_id) ?? { id: cell.shop_id, name: cell.shop_name, attempts: 0 };
    shop.attempts += cell.attempts;
    shops.set(cell.shop_id, shop);
  }
  return {
    shops: [...shops.values()].sort((one, other) => other.attempts - one.attempts || one.id - other.id),
    rows: [...rows].map(([key, row]) => ({ key, ...row })),
  };
}

/** Differences of this size have the strongest colour. */
const STRONGEST = 0.1;

/** How the cell's rate differs from the rate of all cells: -1 (worse by ten points) to 1. */
export const strengthOf = (rate: number, overall: number): number =>
  Math.max(-1, Math.min(1, (rate - overall) / STRONGEST));

/** The sum over all cells. */
export function overallRate(cells: readonly { approved: number; declined: number; failed: number }[]): number {
  const total = { approved: 0, all: 0 };
  for (const { approved, declined, failed } of cells) {
    total.approved += approved;
    total.all += approved + declined + failed;
  }
  return total.all === 0 ? 0 : total.approved / total.all;
}
