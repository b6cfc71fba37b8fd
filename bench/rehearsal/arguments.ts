import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { numberOf, oneOf, seedOf, wholeNumberOf } from '../support/options.js';
import { PROJECT } from '../support/programs.js';
import { STEP_KEYS, type StepKey } from './step-key.js';

export interface RehearsalArguments {
  /** `single`: the same server as in the chaos run. */
  redis: (typeof REDIS)[number];
  postgres: (typeof POSTGRES)[number];
  apis: number;
  workers: number;
  /** New payments per second. */
  rate: number;
  seed: number;
  /** Time of undisturbed traffic before each step and after the last. */
  pauseMs: number;
  steps: readonly StepKey[];
  /** The build under test. */
  dist: string;
  /** LOG_LEVEL of the product. */
  logLevel: string;
  json: boolean;
  /** The file of the Markdown report; absent: no report. */
  report: string | undefined;
  /** Same contract as `cluster` of the chaos run; only with a single PostgreSQL. */
  cluster: string | undefined;
}

export const USAGE = `npm run rehearse -- [--quick] [--infrastructure=clustered|single] [--redis=cluster|sentinel|single]
  [--postgres=replicated|single] [--seed=…]
  [--apis=4] [--workers=8] [--rate=15] [--rest=20] [--steps=…] [--dist=dist] [--log-level=warn] [--json] [--report[=bench/rehearsal/report.md]]
  [--cluster=…]
  quick: 2 APIs, 3 workers and 5 s between steps, unless given
  cluster: with --postgres=single, DATA_DIR of an embedded PostgreSQL that is migrated and stopped; the run starts with a copy
  steps, always in this order: ${STEP_KEYS.join(', ')}`;

const REDIS = ['cluster', 'sentinel', 'single'] as const;
const POSTGRES = ['replicated', 'single'] as const;
const INFRASTRUCTURES = {
  clustered: { redis: 'cluster', postgres: 'replicated' },
  single: { redis: 'single', postgres: 'single' },
};
const FULL = { apis: '4', workers: '8', rate: '15', rest: '20' };
const QUICK = { apis: '2', workers: '3', rate: '10', rest: '5' };
const REPORT = 'bench/rehearsal/report.md';

/** Throws an error whose message is shown to the user. */
export function readArguments(argv: string[]): RehearsalArguments {
  const { values } = parseArgs({
    args: argv.map((argument) => (argument === '--report' ? `--report=${REPORT}` : argument)),
    options: {
      quick: { type: 'boolean', default: false },
      infrastructure: { type: 'string', default: 'clustered' },
      redis: { type: 'string' },
      postgres: { type: 'string' },
      seed: { type: 'string' },
      apis: { type: 'string' },
      workers: { type: 'string' },
      rate: { type: 'string' },
      rest: { type: 'string' },
      steps: { type: 'string', default: STEP_KEYS.join(',') },
      dist: { type: 'string', default: 'dist' },
      'log-level': { type: 'string', default: 'warn' },
      json: { type: 'boolean', default: false },
      report: { type: 'string' },
      cluster: { type: 'string' },
    },
  });
  const servers = INFRASTRUCTURES[oneOf('infrastructure', values.infrastructure, ['clustered', 'single'])];
  const usual = values.quick ? QUICK : FULL;
  const postgres = oneOf('postgres', values.postgres ?? servers.postgres, POSTGRES);
  if (values.cluster !== undefined && postgres !== 'single')
    throw new Error(`--cluster needs --postgres=single, not '${postgres}'`);
  return {
    redis: oneOf('redis', values.redis ?? servers.redis, REDIS),
    postgres,
    apis: wholeNumberOf('apis', values.apis ?? usual.apis, 2, 16),
    workers: wholeNumberOf('workers', values.workers ?? usual.workers, 1, 16),
    rate: numberOf('rate', values.rate ?? usual.rate, 1, 200),
    seed: seedOf(values.seed),
    pauseMs: numberOf('rest', values.rest ?? usual.rest, 0, 600) * 1_000,
    steps: stepsOf(values.steps),
    dist: resolve(PROJECT, values.dist),
    logLevel: values['log-level'],
    json: values.json,
    report: values.report === undefined ? undefined : resolve(PROJECT, values.report),
    cluster: values.cluster,
  };
}

function stepsOf(value: string): StepKey[] {
  const chosen = value.split(',').map((name) => oneOf('steps', name, STEP_KEYS));
  return STEP_KEYS.filter((key) => chosen.includes(key));
}
