import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { NetworkOffer } from '../processes/chaos-network.js';
import type { ReceiversOffer } from '../processes/chaos-receivers.js';
import type { Cleanup } from '../support/cleanup.js';
import { type DeliveryTables, SERVICE_TABLES } from '../support/delivery-tables.js';
import { startCommand } from '../support/node-flags.js';
import { productSettings } from '../support/product.js';
import { Remote } from '../support/remote.js';
import { Supervisor } from '../support/supervisor.js';
import type { Backend, ChaosArguments } from './arguments.js';
import { stablePort } from '../support/ports.js';
import { ChaosPostgres } from './postgres.js';
import { ProductProcess } from './product-process.js';
import { RedisServer } from '../support/redis-server.js';
import { SLOTS, type Slot } from './schedule.js';

/** Receivers that answer 200 whatever happens, and those that faults make misbehave. */
export const STEADY = [0, 1, 2, 3];
export const FAULTY = [4, 5, 6, 7, 8, 9, 10, 11];
/** Those that answer 200 whatever happens, but take their time: each is an origin that all shops share. */
export const UNHURRIED = [12, 13];

/** Short: `tok_timeout` takes as long. */
const PROVIDER_TIMEOUT_MS = 1_000;
type Dependency = 'postgres' | 'redis';

/** The name of the link between a process and a dependency. */
export const link = (slot: Slot, dependency: Dependency): string => `${slot}/${dependency}`;

/** All that takes part in a run: the servers, the network, the receivers and the product's three processes. */
export class World {
  private constructor(
    readonly folder: string,
    readonly postgres: ChaosPostgres,
    /** Absent: the queue lives in PostgreSQL. */
    readonly redis: RedisServer | undefined,
    readonly network: Remote<NetworkOffer>,
    readonly receivers: Remote<ReceiversOffer>,
    /** By the number of the receiver. */
    readonly endpoints: readonly string[],
    readonly processes: Readonly<Record<Slot, ProductProcess>>,
    readonly deliveries: DeliveryTables,
  ) {}

  static async start(args: ChaosArguments, backend: Backend, cleanup: Cleanup): Promise<World> {
    const supervisor = new Supervisor(cleanup);
    const folder = await mkdtemp(join(tmpdir(), 'payment-orchestrator-chaos-'));
    cleanup.report({ folder });
    cleanup.add(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    await chmod(folder, 0o711); // root's PostgreSQL runs as another account, which must be able to enter
    const [postgres, redis, network, receivers] = await Promise.all([
      ChaosPostgres.start(folder, cleanup),
      backend === 'redis' ? RedisServer.start(supervisor, folder) : undefined,
      Remote.start<NetworkOffer>(supervisor, 'processes/chaos-network'),
      Remote.start<ReceiversOffer>(supervisor, 'processes/chaos-receivers'),
    ]);
    await migrate(args.dist, folder, postgres, redis);
    const deliveries = SERVICE_TABLES;
    const ports = await distinctPorts(STEADY.length + FAULTY.length + UNHURRIED.length);
    await receivers.call('open', ports);
    await receivers.call('behave', FAULTY, 'good');
    await receivers.call('behave', UNHURRIED, 'unhurried');
    const endpoints = ports.map((port) => `http://127.0.0.1:${port}/webhooks`);
    const processes = await openProcesses(args, supervisor, folder, network, { postgres, redis });
    const world = new World(folder, postgres, redis, network, receivers, endpoints, processes, deliveries);
    cleanup.add(() => Promise.resolve(world.thawAll()));
    await Promise.all(SLOTS.map((slot) => processes[slot].start()));
    return world;
  }

  get api(): ProductProcess {
    return this.processes.api;
  }

  /** A frozen process could not hear that it is to end. */
  private thawAll(): void {
    for (const slot of SLOTS) this.processes[slot].thaw();
  }
}

/** As an operator does it, with the build's own command line. */
async function migrate(dist: string, folder: string, postgres: ChaosPostgres, redis?: RedisServer): Promise<void> {
  const env = environment(postgres.url(), redis?.url);
  await promisify(execFile)(process.execPath, [join(dist, 'cli/main.js'), 'migrate'], { cwd: folder, env });
}

async function openProcesses(
  args: ChaosArguments,
  supervisor: Supervisor,
  folder: string,
  network: Remote<NetworkOffer>,
  { postgres, redis }: { postgres: ChaosPostgres; redis: RedisServer | undefined },
): Promise<Record<Slot, ProductProcess>> {
  const open = async (slot: Slot): Promise<[Slot, ProductProcess]> => {
    const [port, postgresPort, redisPort] = await distinctPorts(3);
    await network.call('open', link(slot, 'postgres'), postgresPort!, postgres.port);
    if (redis) await network.call('open', link(slot, 'redis'), redisPort!, redis.port);
    const env = {
      ...environment(postgres.url(postgresPort), redis && `redis://127.0.0.1:${redisPort!}`),
      WEBHOOK_RETRY_DELAYS_MS: args.retryDelaysMs.join(','),
      LOG_LEVEL: args.logLevel,
    };
    const role = slot === 'api' ? 'api' : 'worker';
    const command = startCommand(args.dist, role);
    return [slot, new ProductProcess(supervisor, { slot, port: port!, args: command, env, folder })];
  };
  const opened: [Slot, ProductProcess][] = [];
  for (const slot of SLOTS) opened.push(await open(slot)); // one by one: no port is given away twice
  return Object.fromEntries(opened) as Record<Slot, ProductProcess>;
}

const environment = (databaseUrl: string, redis: string | undefined): NodeJS.ProcessEnv =>
  productSettings({ databaseUrl, redisUrl: redis, env: { PROVIDER_TIMEOUT_MS: String(PROVIDER_TIMEOUT_MS) } });

async function distinctPorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await stablePort());
  return [...ports];
}
