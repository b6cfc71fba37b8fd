import type { Key, ReactNode } from 'react';
import { Button } from './button';
import { type Column, DataTable } from './data-table';
import { PageLoading } from './loading';
import { ProblemNotice } from './problem-notice';

/** The result of `useList`. */
interface ListState<Row> {
  rows: Row[] | undefined;
  error: unknown;
  refetch: () => unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

interface Props<Row> {
  list: ListState<Row>;
  caption: string;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => Key;
  /** Shown in place of the table when the list is empty. */
  empty: ReactNode;
}

/** A list in each of its states: loading, failed, empty, with rows, and with further pages. */
export function List<Row>({ list, caption, columns, rowKey, empty }: Props<Row>) {
  const { rows, error, refetch } = list;
  // an empty page can have a next page
  const placeholder = list.hasNextPage ? (
    <p className="muted">No match among the newest. “Show more” searches further back.</p>
  ) : (
    empty
  );
  if (rows === undefined) return error ? <ProblemNotice error={error} retry={() => void refetch()} /> : <PageLoading />;
  return (
    <>
      <ProblemNotice error={error} retry={() => void refetch()} />
      {rows.length === 0 ? placeholder : <DataTable caption={caption} columns={columns} rows={rows} rowKey={rowKey} />}
      {list.hasNextPage && (
        <div className="more">
          <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}
