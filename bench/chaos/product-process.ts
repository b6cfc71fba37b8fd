import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ManagedProcess } from '../../src/cli/managed-process.js';
import type { Supervisor } from '../support/supervisor.js';

const ATTEMPTS_PAUSE_MS = 500;

export interface ProductOptions {
  /** The name of the place, such as `worker-2`. */
  slot: string;
  /** Health and metrics, and of the API its own. */
  port: number;
  /** The compiled program, and Node's own flags before it. */
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  folder: string;
}

/**
 * One place for a process of the product, whoever fills it: started again when it was killed, and when it could not
 * start because a dependency was away, as any service manager does. An end that nobody asked for is kept as a failure.
 */
export class ProductProcess {
  readonly failures: string[] = [];
  private process: ManagedProcess | undefined;
  private guarded: ManagedProcess | undefined;
  private wanted = false;
  /** Counts what it was told: a start that was told to end or to begin anew meanwhile leaves the place to the later one. */
  private orders = 0;
  private isFrozen = false;
  private env: NodeJS.ProcessEnv;

  constructor(
    private readonly supervisor: Supervisor,
    private readonly options: ProductOptions,
  ) {
    this.env = options.env;
  }

  get slot(): string {
    return this.options.slot;
  }

  get url(): string {
    return `http://127.0.0.1:${this.options.port}`;
  }

  get logFile(): string {
    return join(this.options.folder, `${this.slot}.log`);
  }

  /** Running and able to run: neither killed nor frozen. */
  get isUp(): boolean {
    return this.wanted && !this.isFrozen;
  }

  /** The environment of the processes that are started from now on. */
  configure(env: NodeJS.ProcessEnv): void {
    this.env = env;
  }

  /** Resolves when it has answered ready for the first time, however often it has to be started until then. */
  async start(timeoutMs = 60_000): Promise<void> {
    this.wanted = true;
    const order = ++this.orders;
    const deadline = Date.now() + timeoutMs;
    while (order === this.orders) {
      // two kills that overlap end in two starts
      const started = this.process && !this.process.hasExited ? this.process : this.spawn();
      const failure = await this.failureOf(started, deadline);
      if (order !== this.orders) return;
      if (failure === undefined) return this.guard(started);
      if (Date.now() > deadline) throw failure;
      await started.kill();
      await delay(ATTEMPTS_PAUSE_MS);
    }
  }

  async kill(): Promise<void> {
    this.wanted = false;
    this.orders += 1;
    await this.process?.kill();
  }

  freeze(): void {
    this.isFrozen = true;
    this.process?.child.kill('SIGSTOP');
  }

  thaw(): void {
    this.isFrozen = false;
    this.process?.child.kill('SIGCONT');
  }

  /** SIGTERM, as at the end of a deployment; resolves to the exit code. */
  async stop(): Promise<number | null> {
    this.wanted = false;
    this.orders += 1;
    return (await this.process?.stop()) ?? null;
  }

  private spawn(): ManagedProcess {
    const { slot, port, args, folder } = this.options;
    this.process = this.supervisor.spawn({
      name: slot,
      args,
      env: { ...this.env, PORT: String(port), WORKER_PORT: String(port) },
      cwd: folder, // a developer's .env is not for us
      logFile: this.logFile,
      quiet: true,
    });
    return this.process;
  }

  /** Why it does not get ready. */
  private failureOf(started: ManagedProcess, deadline: number): Promise<Error | undefined> {
    return started
      .ready(deadline - Date.now(), () => [this.url])
      .then(
        () => undefined,
        (error: Error) => error,
      );
  }

  private guard(started: ManagedProcess): void {
    if (this.guarded === started) return;
    this.guarded = started;
    const died = (): void => {
      if (!this.wanted || this.process !== started) return;
      const { exitCode, signalCode } = started.child;
      this.failures.push(`${this.slot} ended by itself (${signalCode ?? exitCode}):\n${started.lastLog()}`);
      void this.start().catch((error: unknown) => this.failures.push(String(error)));
    };
    if (started.hasExited) died();
    else started.child.once('exit', died);
  }
}
