import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { NetworkMethods } from './processes/network.js';
import type { ReceiversMethods } from './processes/receivers.js';
import type { Cleanup } from '../support/cleanup.js';
import { type DeliveryTables, SERVICE_TABLES } from '../support/delivery-tables.js';
import { Product, productSettings } from '../support/product.js';
import type { ProductProcess } from '../support/product-process.js';
import { program } from '../support/programs.js';
import { Remote } from '../support/remote.js';
import { Supervisor } from '../support/supervisor.js';
import type { Backend, ChaosArguments } from './arguments.js';
import { NotificationRelay } from './notification-relay.js';
import { stablePorts } from '../support/ports.js';
import { ChaosPostgres } from './postgres.js';
import { openReceivers } from './receivers.js';
import { RedisServer } from '../support/redis-server.js';
import { SeededRandom } from '../../src/shared/seeded-random.js';
import { type ProviderFault, SLOTS, type Slot } from './schedule.js';

/** Short, because `tok_timeout` takes as long. */
const PROVIDER_TIMEOUT_MS = 1_000;
/** Short, so that the outcomes that a minute of faults leaves unknown are found out within the run. */
const PROVIDER_RECOVERY_DELAYS_MS = [500, 1_000, 2_000, 4_000];
type Dependency = 'postgres' | 'redis';

/** The name of the link between a process and a dependency. */
export const link = (slot: Slot, dependency: Dependency): string => `${slot}/${dependency}`;

/** Everything in a run: the servers, the network, the receivers and the product's three processes. */
export class ChaosHarness {
  private constructor(
    readonly folder: string,
    readonly postgres: ChaosPostgres,
    /** Absent: the queue is in PostgreSQL. */
    readonly redis: RedisServer | undefined,
    readonly network: Remote<NetworkMethods>,
    readonly receivers: Remote<ReceiversMethods>,
    /** Indexed by the receiver's number. */
    readonly endpoints: readonly string[],
    readonly processes: Readonly<Record<Slot, ProductProcess>>,
    readonly deliveries: DeliveryTables,
    /** The provider's notifications pass through it. */
    readonly relay: NotificationRelay,
  ) {}

  static async start(args: ChaosArguments, backend: Backend, cleanup: Cleanup): Promise<ChaosHarness> {
    const supervisor = new Supervisor(cleanup);
    const folder = await cleanup.folder('chaos');
    const [postgres, redis, network, { receivers, endpoints }] = await Promise.all([
      ChaosPostgres.start(folder, cleanup, {}, args.cluster),
      backend === 'redis' ? RedisServer.start(supervisor, folder) : undefined,
      Remote.start<NetworkMethods>(supervisor, 'chaos/processes/network'),
      openReceivers(supervisor),
    ]);
    const product = new Product(supervisor, args, folder);
    if (args.cluster === undefined) await product.cli(environment(postgres.url(), redis?.url), 'migrate');
    const deliveries = SERVICE_TABLES;
    const [apiPort, relayPort] = await stablePorts(2);
    const relay = await NotificationRelay.start(
      relayPort!,
      `http://127.0.0.1:${apiPort}`,
      new SeededRandom(args.seed ^ 0x2e1a),
    );
    cleanup.add(() => relay.stop());
    const routes = { postgres, redis, apiPort: apiPort!, relayPort: relayPort! };
    const processes = await openProcesses(args, product, folder, network, routes);
    const harness = new ChaosHarness(
      folder,
      postgres,
      redis,
      network,
      receivers,
      endpoints,
      processes,
      deliveries,
      relay,
    );
    cleanup.add(() => Promise.resolve(harness.thawAll()));
    await Promise.all(SLOTS.map((slot) => processes[slot].start()));
    return harness;
  }

  get api(): ProductProcess {
    return this.processes.api;
  }

  /**
   * Sets the fault of the provider, which every call reads. The file is replaced as a whole, so that no call reads half
   * of it.
   */
  async setProviderFault(fault: ProviderFault | 'none'): Promise<void> {
    const file = providerFaultFile(this.folder);
    await writeFile(`${file}.new`, fault);
    await rename(`${file}.new`, file);
  }

  /** A frozen process would not receive SIGTERM. */
  private thawAll(): void {
    for (const slot of SLOTS) this.processes[slot].thaw();
  }
}

async function openProcesses(
  args: ChaosArguments,
  product: Product,
  folder: string,
  network: Remote<NetworkMethods>,
  {
    postgres,
    redis,
    apiPort,
    relayPort,
  }: { postgres: ChaosPostgres; redis: RedisServer | undefined; apiPort: number; relayPort: number },
): Promise<Record<Slot, ProductProcess>> {
  const open = async (slot: Slot): Promise<[Slot, ProductProcess]> => {
    const [ownPort, postgresPort, redisPort] = await stablePorts(3);
    const port = slot === 'api' ? apiPort : ownPort!;
    await network.call('open', link(slot, 'postgres'), postgresPort!, postgres.port);
    if (redis) await network.call('open', link(slot, 'redis'), redisPort!, redis.port);
    const env = {
      ...environment(postgres.url(postgresPort), redis && `redis://127.0.0.1:${redisPort!}`),
      WEBHOOK_RETRY_DELAYS_MS: args.retryDelaysMs.join(','),
      SANDBOX_NOTIFICATION_URL: `http://127.0.0.1:${relayPort}`,
      CHAOS_PROVIDER: providerFaultFile(folder),
      CHAOS_PROVIDER_MODULE: join(args.dist, 'packages/payment-orchestrator-provider-sandbox.js'),
    };
    const role = slot === 'api' ? 'api' : 'worker';
    const preload = `--import=${pathToFileURL(program('chaos/processes/provider')).href}`;
    return [slot, product.place(role, { slot, port, restarts: true, flags: [preload], env })];
  };
  const opened: [Slot, ProductProcess][] = [];
  for (const slot of SLOTS) opened.push(await open(slot)); // one by one, so that no port is used twice
  return Object.fromEntries(opened) as Record<Slot, ProductProcess>;
}

const providerFaultFile = (folder: string): string => join(folder, 'provider-fault');

const environment = (databaseUrl: string, redis: string | undefined): NodeJS.ProcessEnv =>
  productSettings({
    databaseUrl,
    redisUrl: redis,
    env: {
      PROVIDER_TIMEOUT_MS: String(PROVIDER_TIMEOUT_MS),
      PROVIDER_RECOVERY_DELAYS_MS: PROVIDER_RECOVERY_DELAYS_MS.join(','),
    },
  });
