export type CsvValue = string | number | null;

/** Spreadsheets recognise UTF-8 by it, and only by it. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** A spreadsheet runs a text that begins like this as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
/** A decimal, which is a number also if it is negative. */
const DECIMAL = /^-?\d+(\.\d+)?$/;

/** A line of CSV as in RFC 4180. Texts cannot be formulas: a spreadsheet shows the apostrophe before them, or hides it. */
export const csvLine = (values: readonly CsvValue[]): string => `${values.map(cellOf).join(',')}\r\n`;

function cellOf(value: CsvValue): string {
  if (value === null) return '';
  const isFormula = typeof value === 'string' && FORMULA.test(value) && !DECIMAL.test(value);
  const text = isFormula ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
