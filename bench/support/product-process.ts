import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ManagedProcess } from '../../src/cli/demo/managed-process.js';
import type { Supervisor } from './supervisor.js';

const ATTEMPTS_PAUSE_MS = 500;

export interface PlaceOptions {
  /** The name of the process slot, such as `worker-2`. */
  slot: string;
  /** The port for health and metrics, and the API's own. */
  port: number;
  /** The compiled program, and Node's flags before it. */
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  /** The working directory and the folder of the log. */
  folder: string;
  /** Restarts the process if it exits or does not become ready; otherwise its exit is printed. */
  restarts: boolean;
}

/**
 * A slot for a process of the product, which may be restarted. With `restarts` it works like a service manager: it
 * restarts a process that exited unexpectedly or that a missing dependency kept from starting. Each such exit is
 * recorded in `failures`.
 */
export class ProductProcess {
  readonly failures: string[] = [];
  private process: ManagedProcess | undefined;
  private guarded: ManagedProcess | undefined;
  private wanted = false;
  /** When the last process started, ms since 1970 with fractions. */
  startedAt = 0;
  /** Counts calls of `start`, `stop` and `kill`, so that an older `start` ends when a newer call was made. */
  private orders = 0;
  private isFrozen = false;
  private env: NodeJS.ProcessEnv;

  constructor(
    private readonly supervisor: Supervisor,
    private readonly options: PlaceOptions,
  ) {
    this.env = options.env;
  }

  get slot(): string {
    return this.options.slot;
  }

  get pid(): number {
    return this.process!.pid;
  }

  get url(): string {
    return `http://127.0.0.1:${this.options.port}`;
  }

  get logFile(): string {
    return join(this.options.folder, `${this.slot}.log`);
  }

  /** Running: neither killed nor frozen. */
  get isUp(): boolean {
    return this.wanted && !this.isFrozen;
  }

  /** The environment of processes that are started from now on. */
  configure(env: NodeJS.ProcessEnv): void {
    this.env = env;
  }

  /** Resolves when the process has answered ready, after any number of restarts. */
  async start(timeoutMs = 60_000): Promise<void> {
    this.wanted = true;
    const order = ++this.orders;
    const deadline = Date.now() + timeoutMs;
    while (order === this.orders) {
      // overlapping kills lead to two starts
      const started = this.process && !this.process.hasExited ? this.process : this.spawn();
      const failure = await this.failureOf(started, deadline);
      if (order !== this.orders) return;
      if (failure === undefined) return this.guard(started);
      if (Date.now() > deadline || !this.options.restarts) throw failure;
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

  /** Sends SIGTERM, like a deployment; resolves to the exit code. */
  async stop(): Promise<number | null> {
    this.wanted = false;
    this.orders += 1;
    return (await this.process?.stop()) ?? null;
  }

  private spawn(): ManagedProcess {
    const { slot, port, args, folder, restarts } = this.options;
    this.startedAt = performance.timeOrigin + performance.now();
    this.process = this.supervisor.spawn({
      name: slot,
      args,
      env: { ...this.env, PORT: String(port), WORKER_PORT: String(port) },
      cwd: folder, // ignores a developer's .env
      logFile: this.logFile,
      quiet: restarts,
    });
    return this.process;
  }

  /** The reason why it does not become ready. */
  private failureOf(started: ManagedProcess, deadline: number): Promise<Error | undefined> {
    return started
      .ready(deadline - Date.now(), () => [this.url])
      .then(
        () => undefined,
        (error: Error) => error,
      );
  }

  private guard(started: ManagedProcess): void {
    if (this.guarded === started || !this.options.restarts) return;
    this.guarded = started;
    const died = (): void => {
      if (!this.wanted || this.process !== started) return;
      const { exitCode, signalCode } = started.child;
      this.failures.push(`${this.slot} ended unexpectedly (${signalCode ?? exitCode}):\n${started.lastLog()}`);
      void this.start().catch((error: unknown) => this.failures.push(String(error)));
    };
    if (started.hasExited) died();
    else started.child.once('exit', died);
  }
}
