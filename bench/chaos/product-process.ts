import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { SupervisedProcess, Supervisor } from '../support/supervisor.js';
import type { Slot } from './schedule.js';

const ATTEMPTS_PAUSE_MS = 500;
const POLL_MS = 50;

export interface ProductOptions {
  slot: Slot;
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
  private process: SupervisedProcess | undefined;
  private guarded: SupervisedProcess | undefined;
  private wanted = false;
  /** Counts what it was told: a start that was told to end or to begin anew meanwhile leaves the place to the later one. */
  private orders = 0;
  private isFrozen = false;

  constructor(
    private readonly supervisor: Supervisor,
    private readonly options: ProductOptions,
  ) {}

  get slot(): Slot {
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

  /** Resolves when it has answered ready for the first time, however often it has to be started until then. */
  async start(timeoutMs = 60_000): Promise<void> {
    this.wanted = true;
    const order = ++this.orders;
    const deadline = Date.now() + timeoutMs;
    while (order === this.orders) {
      // two kills that overlap end in two starts
      const started = this.process && !this.process.hasExited ? this.process : this.spawn();
      const isReady = await this.getsReady(started, deadline);
      if (order !== this.orders) return;
      if (isReady) return this.guard(started);
      if (Date.now() > deadline) throw new Error(`${this.slot} does not get ready:\n${started.lastLog()}`);
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
    await this.process?.stop();
    return this.process?.child.exitCode ?? null;
  }

  private spawn(): SupervisedProcess {
    const { slot, port, args, env, folder } = this.options;
    this.process = this.supervisor.spawn({
      name: slot,
      file: process.execPath,
      args: [...args],
      env: { ...env, PORT: String(port), WORKER_PORT: String(port) },
      cwd: folder, // a developer's .env is not for us
      logFile: this.logFile,
      quiet: true,
    });
    return this.process;
  }

  private async getsReady(started: SupervisedProcess, deadline: number): Promise<boolean> {
    for (; Date.now() < deadline && !started.hasExited; await delay(POLL_MS)) {
      if ((await readiness(this.url)) === 200) return true;
    }
    return false;
  }

  private guard(started: SupervisedProcess): void {
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

/** What /health/ready answers; `null`: nothing in time. */
export async function readiness(url: string, timeoutMs = 3_000): Promise<number | null> {
  try {
    const response = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(timeoutMs) });
    await response.body?.cancel();
    return response.status;
  } catch {
    return null;
  }
}
