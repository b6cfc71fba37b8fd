import type { SharedTask } from '../../../src/platform/workers/worker-turns.js';
import { PeriodicTask } from '../../../src/shared/periodic-task.js';

/** Gives shared work every turn, as a worker does that is alone. */
export class SoleWorker {
  private readonly stopping = new AbortController();
  private readonly tasks: PeriodicTask[] = [];

  add({ run, everyMs }: Pick<SharedTask, 'run' | 'everyMs'>): void {
    const task = new PeriodicTask(async () => {
      await run(this.stopping.signal);
      return everyMs;
    });
    this.tasks.push(task);
    task.start();
  }

  /** What keeps a turn has it anyway. */
  putOff(): Promise<void> {
    return Promise.resolve();
  }

  /** Resolves when what is under way has ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.tasks.map((task) => task.stop()));
  }
}
