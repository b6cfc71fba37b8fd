import { fork, type ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { program } from './paths.js';

const STEP_TIMEOUT_MS = 30_000;

/** What the undertaker is told. */
export type Mortality = { born: number } | { dead: number } | { folder: string };

/**
 * Undoes what the bench has done, however it ends: in good order by `run`, or, when the bench itself is killed, by the
 * undertaker: a process that knows all the others by id and ends them when its channel to us closes.
 */
export class Cleanup {
  private readonly steps: (() => Promise<unknown>)[] = [];
  private readonly undertaker: ChildProcess;
  private running: Promise<unknown> | undefined;

  constructor() {
    this.undertaker = fork(program('processes/undertaker'), { detached: true, stdio: 'inherit' });
    this.undertaker.unref();
    this.undertaker.channel?.unref();
  }

  /** The last added runs first. */
  add(step: () => Promise<unknown>): void {
    this.steps.push(step);
  }

  tell(news: Mortality): void {
    if (this.undertaker.connected) this.undertaker.send(news);
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
    return (this.running ??= this.runTo(0).then(() => this.undertaker.connected && this.undertaker.disconnect()));
  }
}
