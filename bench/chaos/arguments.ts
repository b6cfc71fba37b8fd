import { parseArgs } from 'node:util';
import { resolve } from 'node:path';
import { numberOf, oneOf, seedOf } from '../support/options.js';
import { PROJECT } from '../support/programs.js';
import { FAULT_KINDS, type FaultKind } from './schedule.js';

export type Backend = 'redis' | 'postgres';

export interface ChaosArguments {
  backends: Backend[];
  /** Time with faults, on each backend; the drain at the end comes on top. */
  durationMs: number;
  seed: number;
  /** New payments per second. */
  rate: number;
  /** WEBHOOK_RETRY_DELAYS_MS of the product: the retry schedule, scaled to the run. */
  retryDelaysMs: number[];
  /** The longest fault; the shortest takes a quarter of it. */
  maxFaultMs: number;
  /** Average time between two faults. */
  pauseMs: number;
  kinds: readonly FaultKind[];
  /** The build under test. */
  dist: string;
  /** LOG_LEVEL of the product. */
  logLevel: string;
  json: boolean;
  /**
   * DATA_DIR of an embedded PostgreSQL that is migrated and stopped; the run starts with a copy. Absent: a new cluster.
   */
  cluster: string | undefined;
}

export const USAGE = `npm run chaos -- [--minutes=30 | --seconds=…] [--seed=…] [--backend=both|redis|postgres] [--rate=60]
  [--delays=1000,2000,4000] [--max-fault=12] [--rest=10] [--kinds=…] [--dist=dist] [--log-level=warn] [--json]
  [--cluster=…]
  minutes: time with faults, on each backend; start, drain and verdict take up to six more
  kinds: ${FAULT_KINDS.join(', ')}
  cluster: DATA_DIR of an embedded PostgreSQL that is migrated and stopped; the run starts with a copy`;

/** Throws an error whose message is shown to the user. */
export function readArguments(argv: string[]): ChaosArguments {
  const { values } = parseArgs({
    args: argv,
    options: {
      minutes: { type: 'string', default: '30' },
      seconds: { type: 'string' },
      seed: { type: 'string' },
      backend: { type: 'string', default: 'both' },
      rate: { type: 'string', default: '60' },
      delays: { type: 'string', default: '1000,2000,4000' },
      'max-fault': { type: 'string', default: '12' },
      rest: { type: 'string', default: '10' },
      kinds: { type: 'string' },
      dist: { type: 'string', default: 'dist' },
      'log-level': { type: 'string', default: 'warn' },
      json: { type: 'boolean', default: false },
      cluster: { type: 'string' },
    },
  });
  return {
    backends: backendsOf(values.backend),
    durationMs:
      (values.seconds ? numberOf('seconds', values.seconds, 1, 86_400) : minutes(values.minutes) * 60) * 1_000,
    seed: seedOf(values.seed),
    rate: numberOf('rate', values.rate, 1, 1_000),
    retryDelaysMs: values.delays.split(',').map((delay) => numberOf('delays', delay, 0, 3_600_000)),
    maxFaultMs: numberOf('max-fault', values['max-fault'], 1, 120) * 1_000,
    pauseMs: numberOf('rest', values.rest, 0, 600) * 1_000,
    kinds: kindsOf(values.kinds),
    dist: resolve(PROJECT, values.dist),
    logLevel: values['log-level'],
    json: values.json,
    cluster: values.cluster,
  };
}

function backendsOf(value: string): Backend[] {
  const chosen = oneOf('backend', value, ['redis', 'postgres', 'both']);
  return chosen === 'both' ? ['redis', 'postgres'] : [chosen];
}

const minutes = (value: string): number => numberOf('minutes', value, 0.1, 1_440);

function kindsOf(value: string | undefined): readonly FaultKind[] {
  return value?.split(',').map((name) => oneOf('kinds', name, FAULT_KINDS)) ?? FAULT_KINDS;
}
