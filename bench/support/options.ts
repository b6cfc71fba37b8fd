// Options of the programs: what they take, and the error that says so.
import { randomInt } from 'node:crypto';

/** What `read` makes of the command line. Prints `usage` and exits where it is asked for, or where `read` throws. */
export function argumentsOrExit<T>(read: (argv: string[]) => T, usage: string): T {
  const argv = process.argv.slice(2);
  if (argv.includes('--help')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return read(argv);
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`);
    process.exit(1);
  }
}

/** Throws an error whose message is the line for the user, as all of these do. */
export function numberOf(name: string, value: string, least: number, most: number): number {
  const parsed = Number(value);
  if (value.trim() === '' || !(parsed >= least && parsed <= most)) {
    throw new Error(`--${name} takes numbers from ${least} to ${most}, not '${value}'`);
  }
  return parsed;
}

export function wholeNumberOf(name: string, value: string, least: number, most: number): number {
  const parsed = numberOf(name, value, least, most);
  if (!Number.isInteger(parsed))
    throw new Error(`--${name} takes whole numbers from ${least} to ${most}, not '${value}'`);
  return parsed;
}

export function oneOf<T extends string>(name: string, value: string, known: readonly T[]): T {
  const found = known.find((one) => one === value);
  if (found === undefined) throw new Error(`--${name} takes ${known.join(', ')}, not '${value}'`);
  return found;
}

/** Of `--seed`: one that nobody chose where it is absent. */
export const seedOf = (value: string | undefined): number =>
  value === undefined ? randomInt(1, 1_000_000) : wholeNumberOf('seed', value, 0, 2 ** 31);
