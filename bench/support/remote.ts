import { once } from 'node:events';
import type { ManagedProcess } from '../../src/cli/demo/managed-process.js';
import type { Supervisor } from './supervisor.js';

// The functions that a process offers, by name. Arguments and results are copied (structured clone).
type Methods = Record<string, (...args: never[]) => unknown>;

interface Call {
  id: number;
  method: string;
  args: unknown[];
}

type Answer = { id: number; result: unknown } | { id: number; error: string };

/** A program of the bench in a separate process, with the functions that it offers through `serve`. */
export class Remote<T extends Methods> {
  private readonly calls = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>();
  private nextId = 1;

  private constructor(private readonly process: ManagedProcess) {
    process.child.on('message', (answer: Answer) => this.settle(answer));
    process.child.once('exit', () => {
      for (const { reject } of this.calls.values()) reject(new Error(`${process.name} has ended`));
    });
  }

  static async start<T extends Methods>(supervisor: Supervisor, name: string, execArgv?: string[]): Promise<Remote<T>> {
    const process = supervisor.fork(name, execArgv);
    const ended = once(process.child, 'exit').then(() => Promise.reject(new Error(`${name} does not start`)));
    await Promise.race([once(process.child, 'message'), ended]);
    ended.catch(() => undefined);
    return new Remote<T>(process);
  }

  get pid(): number {
    return this.process.pid;
  }

  call<K extends keyof T & string>(method: K, ...args: Parameters<T[K]>): Promise<Awaited<ReturnType<T[K]>>> {
    return new Promise((resolve, reject) => {
      const id = this.nextId++;
      this.calls.set(id, { resolve, reject });
      this.process.child.send({ id, method, args } satisfies Call);
    });
  }

  async stop(): Promise<void> {
    await this.process.stop();
  }

  private settle(answer: Answer): void {
    const call = this.calls.get(answer.id);
    this.calls.delete(answer.id);
    if ('error' in answer) call?.reject(new Error(`${this.process.name}: ${answer.error}`));
    else call?.resolve(answer.result as never);
  }
}

/** Called in the child process: offers functions to the bench, and exits with it. `stop` runs before a normal exit. */
export function serve(methods: Methods, stop?: () => Promise<unknown>): void {
  const end = (): void => {
    void Promise.resolve(stop?.()).finally(() => process.exit());
  };
  process.on('message', (call: Call) => void answer(methods, call));
  process.on('disconnect', () => process.exit());
  process.on('SIGTERM', end);
  process.send?.('ready');
}

async function answer(methods: Methods, { id, method, args }: Call): Promise<void> {
  let reply: Answer;
  try {
    reply = { id, result: await methods[method]!(...(args as never[])) };
  } catch (error) {
    reply = { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  process.send?.(reply);
}
