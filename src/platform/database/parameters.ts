/**
 * Elements that need no quotes in an array literal of PostgreSQL: times and other texts that begin with a digit, unlike
 * NULL.
 */
const PLAIN = /^\d[\d :.+-]*\d$/;

type Plain = number | boolean | string | null;

const isPlain = (element: unknown): element is Plain =>
  typeof element === 'number' ||
  element === null ||
  typeof element === 'boolean' ||
  (typeof element === 'string' && PLAIN.test(element));

/**
 * Prepares a parameter of a statement: arrays of numbers, booleans and times become array literals here, everything
 * else is left to pg.
 *
 * Why not leave arrays to pg: it escapes each element with two regular expressions, 4 % of the CPU of a loaded worker.
 */
export function parameterOf(value: unknown): unknown {
  if (!Array.isArray(value) || !value.every(isPlain)) return value;
  return `{${value.map((element) => element ?? 'NULL').join()}}`;
}
