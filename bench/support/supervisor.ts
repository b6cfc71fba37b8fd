import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { Cleanup } from './cleanup.js';
import { program } from './paths.js';

const STOP_TIMEOUT_MS = 15_000;

export interface Command {
  /** For messages. */
  name: string;
  file: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** Takes stdout and stderr. */
  logFile: string;
  /** Whoever starts it tells of its end. */
  quiet?: boolean;
}

/**
 * Starts processes and makes sure that they end. They are leaders of their own process groups: Ctrl-C reaches the bench
 * alone, which then ends them in order.
 */
export class Supervisor {
  constructor(private readonly cleanup: Cleanup) {}

  spawn({ name, file, args, env, cwd, logFile, quiet }: Command): SupervisedProcess {
    const log = openSync(logFile, 'a');
    try {
      const child = spawn(file, args, { env: env ?? process.env, cwd, stdio: ['ignore', log, log], detached: true });
      return this.supervise(name, child, logFile, quiet);
    } finally {
      closeSync(log);
    }
  }

  /** A program of the bench, with a channel to it. */
  fork(name: string, execArgv: string[] = []): SupervisedProcess {
    const child = fork(program(name), { serialization: 'advanced', detached: true, execArgv });
    return this.supervise(name, child);
  }

  private supervise(name: string, child: ChildProcess, logFile?: string, quiet = false): SupervisedProcess {
    const { pid } = child;
    if (pid === undefined) throw new Error(`cannot start ${name}`);
    this.cleanup.tell({ born: pid });
    child.once('exit', () => this.cleanup.tell({ dead: pid }));
    const supervised = new SupervisedProcess(name, child, pid, logFile, quiet);
    this.cleanup.add(() => supervised.stop());
    return supervised;
  }
}

export class SupervisedProcess {
  private stopping = false;
  private readonly exited: Promise<unknown>;

  constructor(
    readonly name: string,
    readonly child: ChildProcess,
    readonly pid: number,
    private readonly logFile?: string,
    quiet = false,
  ) {
    this.exited = once(child, 'exit');
    this.exited.catch(() => undefined);
    child.once('exit', (code, signal) => {
      if (!this.stopping && !quiet) console.error(`bench: ${name} ended (${signal ?? code})\n${this.lastLog()}`);
    });
  }

  get hasExited(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  log(): string {
    return this.logFile === undefined ? '' : readFileSync(this.logFile, 'utf8');
  }

  lastLog(): string {
    return this.log()
      .split('\n')
      .slice(-20)
      .map((line) => line.slice(0, 400))
      .join('\n');
  }

  /** SIGKILL: as a crash. */
  async kill(): Promise<void> {
    if (this.hasExited) return;
    this.stopping = true;
    this.child.kill('SIGKILL');
    await this.exited;
  }

  /** SIGTERM; SIGKILL after 15 s. */
  async stop(): Promise<void> {
    if (this.hasExited) return;
    this.stopping = true;
    this.child.kill('SIGTERM');
    const impatience = setTimeout(() => this.child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await this.exited;
    clearTimeout(impatience);
  }
}
