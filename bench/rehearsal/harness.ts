import { ApiClient, type AnswerRecord } from '../chaos/client.js';
import { openReceivers, type Receivers } from '../chaos/receivers.js';
import type { Violations } from '../../test/support/ledger/violations.js';
import type { Cleanup } from '../support/cleanup.js';
import { SERVICE_TABLES } from '../support/delivery-tables.js';
import { stablePorts } from '../support/ports.js';
import { Product, productSettings } from '../support/product.js';
import { Supervisor } from '../support/supervisor.js';
import type { RehearsalArguments } from './arguments.js';
import { Backups } from './backups.js';
import { Balancer } from './balancer.js';
import { type Databases, SingleDatabase } from './databases.js';
import { Fleet } from './fleet.js';
import { Keys } from './keys.js';
import type { Loss } from './loss.js';
import { ClusteredRedis, type Queue, SingleRedis, WatchedRedis } from './queues.js';
import { ReplicatedDatabase } from './replicated-database.js';

/** The retry schedule, scaled to the run. */
export const RETRY_DELAYS_MS = [1_000, 2_000, 4_000];
/** Short, because `tok_timeout` takes as long, and because unknown outcomes are to be found out within the run. */
const SHORT = { PROVIDER_TIMEOUT_MS: '1000', PROVIDER_RECOVERY_DELAYS_MS: '500,1000,2000,4000' };

/** All parts of a rehearsal. */
export class RehearsalHarness {
  readonly deliveries = SERVICE_TABLES;
  /** Data that restored backups lacked. */
  readonly losses: Loss[] = [];

  private constructor(
    readonly folder: string,
    readonly databases: Databases,
    readonly queue: Queue,
    readonly backups: Backups,
    readonly receivers: Receivers['receivers'],
    readonly endpoints: Receivers['endpoints'],
    readonly keys: Keys,
    readonly fleet: Fleet,
    readonly client: ApiClient,
    /** All answered calls of the client. */
    readonly journal: readonly AnswerRecord[],
    readonly violations: Violations,
    readonly args: RehearsalArguments,
    readonly cleanup: Cleanup,
  ) {}

  static async start(args: RehearsalArguments, cleanup: Cleanup, violations: Violations): Promise<RehearsalHarness> {
    const supervisor = new Supervisor(cleanup);
    const folder = await cleanup.folder('rehearsal');
    const backups = await Backups.open(folder, cleanup);
    const databases = await openDatabases(args, folder, cleanup, backups);
    const queue = await openQueue(args, folder, cleanup, supervisor);
    const { receivers, endpoints } = await openReceivers(supervisor);
    const [balancerPort, ...ports] = await stablePorts(1 + args.apis + args.workers);
    const apiPorts = ports.slice(0, args.apis);
    const keys = new Keys();
    const base = {
      ...productSettings({ databaseUrl: '', env: SHORT }),
      BOOTSTRAP_CLIENT_ID: '',
      BOOTSTRAP_CLIENT_SECRET: '',
      ...databases.settings,
      ...queue.settings,
      WEBHOOK_RETRY_DELAYS_MS: RETRY_DELAYS_MS.join(','),
      SANDBOX_NOTIFICATION_URL: `http://127.0.0.1:${balancerPort!}`,
    };
    const product = new Product(supervisor, args, folder);
    const options = { product, apiPorts, workerPorts: ports.slice(args.apis), base };
    const fleet = new Fleet(options, keys.current());
    if (args.cluster === undefined) await fleet.cli('migrate');
    await fleet.start();
    const balancer = await Balancer.start(balancerPort!, apiPorts);
    cleanup.add(() => balancer.stop());
    const journal: AnswerRecord[] = [];
    const client = await openClient(fleet, balancer, journal);
    cleanup.add(() => client.close());
    return new RehearsalHarness(
      ...([folder, databases, queue, backups, receivers, endpoints, keys] as const),
      ...([fleet, client, journal, violations, args, cleanup] as const),
    );
  }

  /** The name under which `collect`, the client and `drain` expect the databases. */
  get postgres(): Databases {
    return this.databases;
  }
}

function openDatabases(
  { postgres, cluster }: RehearsalArguments,
  ...where: [folder: string, cleanup: Cleanup, backups: Backups]
): Promise<Databases> {
  return postgres === 'replicated' ? ReplicatedDatabase.start(...where) : SingleDatabase.start(...where, cluster);
}

function openQueue(
  { redis }: RehearsalArguments,
  folder: string,
  cleanup: Cleanup,
  supervisor: Supervisor,
): Promise<Queue> {
  if (redis === 'single') return SingleRedis.start(supervisor, folder);
  return redis === 'cluster' ? ClusteredRedis.start(folder, cleanup) : WatchedRedis.start(folder, cleanup);
}

/** Creates a client as an operator does: with the CLI, not with a bootstrap setting. */
async function openClient(fleet: Fleet, balancer: Balancer, journal: AnswerRecord[]): Promise<ApiClient> {
  const client = new ApiClient(balancer.url, {
    credentials: await fleet.createClient('Rehearsal'),
    onAnswer: (record) => journal.push(record),
    renewsToken: true,
  });
  await client.login();
  return client;
}
