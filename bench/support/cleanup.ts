import { fork, type ChildProcess } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { program } from './programs.js';

const STEP_TIMEOUT_MS = 30_000;

/** Messages to the process reaper. */
export type ProcessEvent = { started: number } | { exited: number } | { folder: string };

/**
 * Ends everything that the bench has started: cleanly by `run`, or by the reaper if the bench itself is killed.
 * The reaper is a process that knows all the others by id and ends them when its channel to the bench closes.
 */
export class Cleanup {
  private readonly steps: (() => Promise<unknown>)[] = [];
  private readonly reaper: ChildProcess;
  private running: Promise<unknown> | undefined;

  constructor() {
    this.reaper = fork(program('support/process-reaper'), { detached: true, stdio: 'inherit' });
    this.reaper.unref();
    this.reaper.channel?.unref();
  }

  /** The last added step runs first. */
  add(step: () => Promise<unknown>): void {
    this.steps.push(step);
  }

  report(event: ProcessEvent): void {
    if (this.reaper.connected) this.reaper.send(event);
  }

  /**
   * Creates a folder for temporary files, which is removed at the end. Every account may enter it, because PostgreSQL
   * does not run as root.
   */
  async folder(name: string): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), `payment-orchestrator-${name}-`));
    this.report({ folder });
    this.add(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    await chmod(folder, 0o711);
    return folder;
  }

  /** A mark for `runTo`. */
  mark(): number {
    return this.steps.length;
  }

  /** Runs the steps added since the mark. A failing step is reported and does not stop the others. */
  async runTo(mark: number): Promise<void> {
    while (this.steps.length > mark) {
      const step = this.steps.pop()!;
      const bounded = Promise.race([step(), delay(STEP_TIMEOUT_MS, undefined, { ref: false })]);
      await bounded.catch((error: unknown) => console.error('bench: cleanup failed:', error));
    }
  }

  /** Runs all steps. May be called repeatedly; runs once. */
  run(): Promise<unknown> {
    return (this.running ??= this.runTo(0).then(() => this.reaper.connected && this.reaper.disconnect()));
  }
}
