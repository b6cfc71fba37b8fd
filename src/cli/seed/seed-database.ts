import { MerchantsService } from '../../auth/merchants.service.js';
import { openDatabase } from '../../bootstrap/open-database.js';
import { withClient } from '../../platform/database/connection.js';
import { createLogger, standardOutput } from '../../platform/observability/logger.js';
import { CommandError } from '@payment-orchestrator/client/cli/terminal';
import type { Config } from '../../platform/config/config.js';
import { Calendar } from './calendar.js';
import { PastService } from './past-service.js';
import { Receivers } from './receivers.js';
import { createPeople, seedMerchant, type SignIn } from './seed.js';

export interface SeedRequest {
  /** Absent: a new merchant with this name. */
  merchantId?: number;
  merchantName?: string;
  seed: number;
  payments: number;
  /** The end of the two weeks; absent: now. */
  until?: Date;
}

export interface Seeded {
  signIns: SignIn[];
  receiverUrl: string;
}

const LIVE_WORKER = 'SELECT FROM worker_beats WHERE until > now() LIMIT 1';

type Report = (line: string) => void;

/** Seeds a merchant of the database of `config`, which was read with `SEEDING_SETTINGS`. Throws a `CommandError` while a worker runs. */
export async function seedDatabase(config: Config, request: SeedRequest, report: Report): Promise<Seeded> {
  const database = await openDatabase(config);
  try {
    const url = config.databaseDirectUrl ?? database.url;
    await requireNoWorker(url);
    const calendar = new Calendar(request.until ?? new Date());
    const logger = createLogger(config.logLevel, standardOutput());
    const service = await PastService.start(config, url, logger, calendar.start);
    const receivers = await Receivers.start();
    try {
      return await seedWith(service, receivers, { ...request, calendar, report });
    } finally {
      await service.stop();
      await receivers.stop();
    }
  } finally {
    await database.stop();
  }
}

/** A worker at the present would act on the payments of the past. */
async function requireNoWorker(url: string): Promise<void> {
  const { rowCount } = await withClient(url, undefined, (client) => client.query(LIVE_WORKER));
  if (rowCount !== 0)
    throw new CommandError('a worker of this database runs: stop the service, and start it afterwards');
}

async function seedWith(
  service: PastService,
  receivers: Receivers,
  request: SeedRequest & { calendar: Calendar; report: Report },
): Promise<Seeded> {
  const merchants = service.get(MerchantsService);
  const merchantId = request.merchantId ?? (await merchants.create(request.merchantName!)).id;
  if (!(await merchants.exists(merchantId))) throw new CommandError(`--merchant: there is no merchant ${merchantId}`);
  if (request.merchantId !== undefined) service.prefix = `m${merchantId}-`;
  const signIns = await createPeople(service, merchantId);
  const { seed, payments, calendar, report } = request;
  await seedMerchant(service, receivers, { merchantId, seed, payments, calendar, onProgress: tenthsOf(report) });
  return { signIns, receiverUrl: receivers.url };
}

/** Reports each tenth of the work. */
function tenthsOf(report: Report): (share: number, made: number) => void {
  let reported = 0;
  return (share, made) => {
    if (share < reported + 0.1) return;
    reported = share;
    report(`${String(Math.round(share * 100)).padStart(3)} %  ${made} payments`);
  };
}

/** A line for each person, with the secret. */
export const signInLines = (signIns: readonly SignIn[]): string[] =>
  signIns.map(({ id, secret, name, role }) => `  ${id.padEnd(10)} ${secret}   ${name}, ${role}`);
