// A statement that takes records has two shapes, made of one text: many records are one parameter of JSON; of one record each
// field is a parameter, which the planner puts wherever the field is read, so that nothing is parsed, kept or joined.

/** The fields of a record and the types that PostgreSQL reads them as, in the order of their parameters. */
export type Fields<R> = Readonly<Record<keyof R & string, string>>;

const typed = (fields: object): string =>
  Object.entries(fields)
    .map((field) => field.join(' '))
    .join(', ');

/** A row for each record of a JSON array: `parameter` is its text. */
export const recordsFrom = (parameter: string, fields: object): string =>
  `json_to_recordset(${parameter}) AS r (${typed(fields)})`;

/** SQL of the parameters of one record, of which `$first` is the first. */
export const parametersOf = (first: number, fields: object): string[] =>
  Object.values(fields).map((type, index) => `$${first + index}::${type}`);

/** A row that has the fields of one record. */
export const recordFrom = (first: number, fields: object): string => {
  const names = Object.keys(fields);
  return `SELECT ${parametersOf(first, fields)
    .map((parameter, index) => `${parameter} AS ${names[index]}`)
    .join(', ')}`;
};

/** The values of the parameters; `null`: there is no record. */
export const valuesOf = <R extends object>(record: R | null, fields: Fields<R>): unknown[] =>
  (Object.keys(fields) as (keyof R)[]).map((field) => record?.[field] ?? null);
