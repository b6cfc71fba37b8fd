import { parseArgs } from 'node:util';
import { resolve } from 'node:path';
import { wholeNumberOf } from './options.js';
import { PROJECT } from './programs.js';

export interface Arguments {
  /** Empty: all scenarios. */
  scenarios: string[];
  /** Fewer and smaller rounds: less than a minute per scenario. */
  quick: boolean;
  /** Prints the ratios as the last line. */
  json: boolean;
  /** Draw docs/internals/plots from bench/peers.json and the newest results; without a scenario nothing is measured. */
  plot: boolean;
  rounds: number;
  /** Runs only cases whose name contains this; absent: all. */
  only: string | undefined;
  /** The build to measure; by default the project's. */
  dist: string;
  /** LOG_LEVEL of the measured processes. */
  logLevel: string;
  /** A folder for a CPU profile of each measured process. */
  profiles: string | undefined;
}

export const USAGE = `npm run bench -- [scenario …] [--quick] [--json] [--plot] [--rounds=5] [--only=<part of a case's name>] [--dist=dist] [--log-level=info] [--profiles=<folder>]`;

const QUICK_ROUNDS = '3';
const FULL_ROUNDS = '5';

/** Throws an error whose message is shown to the user. */
export function readArguments(argv: string[], known: string[]): Arguments {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      plot: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      only: { type: 'string' },
      dist: { type: 'string', default: 'dist' },
      'log-level': { type: 'string', default: 'info' },
      profiles: { type: 'string' },
    },
  });
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`no scenario '${unknown}', there are: ${known.join(', ')}`);
  const rounds = values.rounds ?? (values.quick ? QUICK_ROUNDS : FULL_ROUNDS);
  return {
    scenarios: positionals,
    quick: values.quick,
    json: values.json,
    plot: values.plot,
    rounds: wholeNumberOf('rounds', rounds, 1, 100),
    only: values.only,
    dist: resolve(PROJECT, values.dist),
    logLevel: values['log-level'],
    profiles: values.profiles === undefined ? undefined : resolve(PROJECT, values.profiles),
  };
}
