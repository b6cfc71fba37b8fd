// Command-line options of the programs, and errors about them.
import { randomInt } from 'node:crypto';

/** Returns the result of `read` for the command line. Prints `usage` and exits on `--help` or if `read` throws. */
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

/** Throws an error whose message is shown to the user, like all functions here. */
export function numberOf(name: string, value: string, least: number, most: number): number {
  const parsed = Number(value);
  if (value.trim() === '' || !(parsed >= least && parsed <= most)) {
    throw new Error(`--${name} must be a number from ${least} to ${most}, not '${value}'`);
  }
  return parsed;
}

export function wholeNumberOf(name: string, value: string, least: number, most: number): number {
  const parsed = numberOf(name, value, least, most);
  if (!Number.isInteger(parsed))
    throw new Error(`--${name} must be a whole number from ${least} to ${most}, not '${value}'`);
  return parsed;
}

export function oneOf<T extends string>(name: string, value: string, known: readonly T[]): T {
  const found = known.find((one) => one === value);
  if (found === undefined) throw new Error(`--${name} must be one of ${known.join(', ')}, not '${value}'`);
  return found;
}

/** The seed of `--seed`; a random one if absent. */
export const seedOf = (value: string | undefined): number =>
  value === undefined ? randomInt(1, 1_000_000) : wholeNumberOf('seed', value, 0, 2 ** 31);
