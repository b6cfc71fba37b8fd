interface Newest {
  table: string;
  columns: string;
  /** The column that leads the index, before the status and the id; `value`: SQL of the owner's id. */
  owner: string;
  value: string;
  /** The column with the status. */
  status?: string;
  /** On the row `r`. */
  conditions?: string[];
  limit?: string;
}

/**
 * SQL of an owner's newest rows with any of the statuses $2, below the id $3: the index is read once per status, at most `limit`
 * rows each time. For `= ANY (ARRAY[…])` see `listPayments`.
 */
export const newestByStatus = (of: Newest): string => {
  const { table, columns, owner, value, status = 'status', conditions = [], limit = '$4' } = of;
  const all = [`r.${owner} = ANY (ARRAY[${value}::bigint])`, `r.${status} = ANY (ARRAY[s.status])`, 'r.id < $3'];
  return `SELECT page.* FROM unnest($2::text[]) AS s (status) CROSS JOIN LATERAL (
      SELECT ${columns} FROM ${table} r WHERE ${[...all, ...conditions].join(' AND ')}
      ORDER BY r.${owner} DESC, r.${status} DESC, r.id DESC LIMIT ${limit}
    ) page ORDER BY page.id DESC LIMIT ${limit}`;
};
