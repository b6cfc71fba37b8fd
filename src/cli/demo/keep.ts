import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CommandError } from '@payment-orchestrator/client/cli/terminal';
import { hasCluster } from '@payment-orchestrator/embedded-postgres';
import { run } from '../../bootstrap/run.js';
import type { Config } from '../../platform/config/config.js';
import { Receivers } from '../seed/receivers.js';
import { seedDatabase, type Seeded, signInLines } from '../seed/seed-database.js';

/** A file next to the database: who can sign in, and where the receivers of webhooks listen. */
const NOTES = 'demo.json';
/** Not the folder of `npm start`, which may have data of one's own. */
const DEFAULT_FOLDER = '.data/demo';

interface KeepOptions {
  environment: Record<string, string | undefined>;
  /** The settings that seed a database in this folder. */
  configOf: (dataDir: string) => Config;
  report: (line: string) => void;
  seed: number;
  payments: number;
}

/** Seeds a new embedded database, unless an earlier run has, and runs the service and the receivers on it until a signal. */
export async function keepDemo({ environment, ...options }: KeepOptions): Promise<void> {
  if (environment['DATABASE_URL']) {
    throw new CommandError(
      'demo --keep makes a database of its own; with DATABASE_URL fill a merchant with: npm run cli -- seed --merchant=<id>',
    );
  }
  const dataDir = resolve(environment['DATA_DIR'] || DEFAULT_FOLDER);
  const notes = await openNotes(dataDir, options);
  const receivers = await Receivers.start(Number(new URL(notes.receiverUrl).port));
  receivers.down.add('/warehouse');
  Object.assign(process.env, { DATA_DIR: dataDir, LOG_LEVEL: environment['LOG_LEVEL'] || 'fatal' });
  await run(['api', 'worker'], ([api], _config, print) => Promise.resolve(print(tourOf(api!.address, dataDir, notes))));
}

async function openNotes(
  dataDir: string,
  { configOf, report, ...size }: Omit<KeepOptions, 'environment'>,
): Promise<Seeded> {
  const file = join(dataDir, NOTES);
  if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8')) as Seeded;
  if (hasCluster(dataDir)) {
    throw new CommandError(
      `${dataDir} has a database that is no finished demo: delete it, or set DATA_DIR to a new folder`,
    );
  }
  report('Making two weeks of payments: one to two minutes');
  const seeded = await seedDatabase(configOf(dataDir), { ...size, merchantName: 'Demo shop' }, report);
  await writeFile(file, JSON.stringify(seeded), { mode: 0o600 });
  return seeded;
}

const tourOf = (address: string, dataDir: string, { signIns }: Seeded): string => `
  Console: ${address}/console
  Sign in as one of them:
${signInLines(signIns)
  .map((line) => `  ${line}`)
  .join('\n')}

  Look at: To do (work by its deadline), a payment (why this shop), Approvals (Maestro in Germany falls since Tuesday),
  the flow "Web checkout EU" (a rollout runs), Endpoints (the old warehouse system fails), Disputes.

  Ctrl-C ends it; the same command opens it again. The data is in ${dataDir}: delete the folder for a new demo.

`;
