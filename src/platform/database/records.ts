/** The fields of a record and the types that PostgreSQL reads them as. */
export type Fields<R> = Readonly<Record<keyof R & string, string>>;

/** A row `r` for each record of a JSON array: `parameter` is its text. One parameter carries any number of records. */
export const recordsFrom = (parameter: string, fields: object): string => {
  const columns = Object.entries(fields).map(([name, type]) => `${name} ${type}`);
  return `json_to_recordset(${parameter}) AS r (${columns.join(', ')})`;
};
