import type { ClientCredentials } from '../../test/support/app/settings.js';
import type { Product } from '../support/product.js';
import type { ProductProcess } from '../support/product-process.js';

/** Processes of each deployment that are replaced at the same time. */
const AT_ONCE = { api: 1, worker: 2 };

type Settings = Record<string, string>;

export interface FleetOptions {
  product: Product;
  apiPorts: readonly number[];
  workerPorts: readonly number[];
  /** Settings of every process and of the command line, in every rollout. */
  base: NodeJS.ProcessEnv;
}

/** All processes of the service: one deployment of APIs and one of workers. */
export class Fleet {
  readonly apis: readonly ProductProcess[];
  readonly workers: readonly ProductProcess[];
  private settings: Settings;

  constructor(
    private readonly options: FleetOptions,
    settings: Settings,
  ) {
    this.settings = settings;
    this.apis = options.apiPorts.map((port, index) => this.place('api', port, index));
    this.workers = options.workerPorts.map((port, index) => this.place('worker', port, index));
  }

  get all(): ProductProcess[] {
    return [...this.apis, ...this.workers];
  }

  /** Starts the processes in groups, as a rollout does. All at once would take minutes to start on two cores. */
  start(): Promise<void> {
    return this.inGroups((process) => process.start());
  }

  /** Stops all processes, in any order; the database may be down. */
  async end(): Promise<void> {
    await Promise.all(this.all.map((process) => process.stop()));
  }

  /** Starts them after `end`: workers before APIs. */
  async restart(): Promise<void> {
    await eachGroup(this.workers, AT_ONCE.worker, (process) => process.start());
    await eachGroup(this.apis, AT_ONCE.api, (process) => process.start());
  }

  /** Stops and starts every process, in groups; with new `settings` from now on, if given. */
  async roll(settings: Settings = this.settings): Promise<void> {
    this.settings = settings;
    await this.inGroups(async (process) => {
      const code = await process.stop();
      if (code !== 0) process.failures.push(`${process.slot}: exit code after SIGTERM: ${code ?? 'none (signal)'}`);
      process.configure(this.environment());
      await process.start();
    });
  }

  /** Runs a CLI command of the service; resolves to its output. Rejects if it fails. */
  cli(...args: string[]): Promise<string> {
    return this.options.product.cli(this.environment(), ...args);
  }

  createClient(merchant: string): Promise<ClientCredentials> {
    return this.options.product.createClient(merchant, this.environment());
  }

  private async inGroups(work: (process: ProductProcess) => Promise<void>): Promise<void> {
    await Promise.all([
      eachGroup(this.apis, AT_ONCE.api, work), //
      eachGroup(this.workers, AT_ONCE.worker, work),
    ]);
  }

  private place(role: 'api' | 'worker', port: number, index: number): ProductProcess {
    const slot = `${role}-${index + 1}`;
    return this.options.product.place(role, { slot, port, restarts: true, env: this.environment() });
  }

  private environment(): NodeJS.ProcessEnv {
    return { ...this.options.base, ...this.settings };
  }
}

async function eachGroup<T>(items: readonly T[], size: number, work: (item: T) => Promise<void>): Promise<void> {
  for (let from = 0; from < items.length; from += size) await Promise.all(items.slice(from, from + size).map(work));
}
