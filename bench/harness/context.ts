import type { Arguments } from '../support/arguments.js';
import { BenchDatabase, type DatabaseOwner } from '../support/database.js';
import type { Cleanup } from '../support/cleanup.js';
import { Product } from '../support/product.js';
import { Remote } from '../support/remote.js';
import type { Report } from '../support/report.js';
import type { Servers } from '../support/servers.js';
import type { Supervisor } from '../support/supervisor.js';
import type { ReceiverMethods } from '../processes/receiver.js';

export type Receiver = Remote<ReceiverMethods>;

/** The servers, processes and arguments of a scenario. */
export class Context {
  readonly product: Product;
  private databases = 0;
  private redisDatabases = 0;

  constructor(
    readonly args: Arguments,
    readonly servers: Servers,
    readonly supervisor: Supervisor,
    readonly cleanup: Cleanup,
    readonly report: Report,
  ) {
    this.product = new Product(supervisor, args, servers.folder);
  }

  /** Prints one line of progress. */
  say(text: string): void {
    console.log(`· ${text}`);
  }

  async database(owner: DatabaseOwner = 'service'): Promise<BenchDatabase> {
    const database = await BenchDatabase.create(this.servers.postgres.url, `bench_${++this.databases}`, owner);
    this.cleanup.add(() => database.close());
    return database;
  }

  /** The URL of an unused Redis database. */
  redisUrl(): string {
    return `${this.servers.redis.url}/${this.redisDatabases++}`;
  }

  receiver(): Promise<Receiver> {
    return Remote.start<ReceiverMethods>(this.supervisor, 'processes/receiver');
  }
}

export interface Scenario {
  /** One line for the list of scenarios. */
  about: string;
  /** Additional settings of PostgreSQL. */
  postgres?: Record<string, string>;
  run(context: Context): Promise<void>;
}
