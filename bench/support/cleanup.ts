import { fork, type ChildProcess } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { program } from './programs.js';

const STEP_TIMEOUT_MS = 30_000;

/** What the process reaper is told. */
export type ProcessEvent = { started: number } | { exited: number } | { folder: string };

/**
 * Undoes what the bench has done, however it ends: in good order by `run`, or, when the bench itself is killed, by the
 * reaper: a process that knows all the others by id and ends them when its channel to us closes.
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

  /** The last added runs first. */
  add(step: () => Promise<unknown>): void {
    this.steps.push(step);
  }

  report(event: ProcessEvent): void {
    if (this.reaper.connected) this.reaper.send(event);
  }

  /** A new one for temporary files, which is removed in the end. Every account may enter it: root's PostgreSQL runs as another. */
  async folder(name: string): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), `payment-orchestrator-${name}-`));
    this.report({ folder });
    this.add(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    await chmod(folder, 0o711);
    return folder;
  }

  /** To be given to `runTo`: what is added from now on. */
  mark(): number {
    return this.steps.length;
  }

  /** Runs what was added since the mark. A step that fails is reported and does not stop the others. */
  async runTo(mark: number): Promise<void> {
    while (this.steps.length > mark) {
      const step = this.steps.pop()!;
      const bounded = Promise.race([step(), delay(STEP_TIMEOUT_MS, undefined, { ref: false })]);
      await bounded.catch((error: unknown) => console.error('bench: cleaning up:', error));
    }
  }

  /** Runs everything. To be called again and again, it runs once. */
  run(): Promise<unknown> {
    return (this.running ??= this.runTo(0).then(() => this.reaper.connected && this.reaper.disconnect()));
  }
}
