import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { programEnvironment } from '../../platform/config/environment.js';

const STOP_TIMEOUT_MS = 15_000;
const POLL_MS = 50;
const SHOWN_LINES = 20;
const SHOWN_CHARACTERS = 400;

export interface Command {
  /** Name for messages. */
  name: string;
  /** Program; absent: Node. */
  file?: string;
  args: readonly string[];
  /** The environment of the process, in addition to the paths of programs and temporary files. */
  env?: Record<string, string | undefined>;
  cwd?: string;
  /** File for stdout and stderr; absent: they are kept in memory. */
  logFile?: string;
  /** Whether it leads a new process group: then Ctrl-C reaches only its parent. */
  detached?: boolean;
}

/** The fields of a log line that are read. */
export interface LogEntry {
  msg: string;
  process?: string;
  address?: string;
}

/** A child process with its output. The demo, the tests, the benchmarks and the chaos runs use it. */
export class ManagedProcess {
  readonly pid: number;
  private output = '';
  private stopping = false;
  private readonly exited: Promise<unknown>;

  /** Throws when `child` could not be started. */
  constructor(
    readonly name: string,
    readonly child: ChildProcess,
    private readonly logFile?: string,
  ) {
    this.exited = once(child, 'exit');
    this.exited.catch(() => undefined);
    if (child.pid === undefined) throw new Error(`cannot start ${name}`);
    this.pid = child.pid;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
  }

  static spawn({ name, file = process.execPath, args, env, cwd, logFile, detached }: Command): ManagedProcess {
    const log = logFile === undefined ? 'pipe' : openSync(logFile, 'a');
    try {
      const options = { env: { ...programEnvironment(), ...env }, cwd, detached: detached === true };
      return new ManagedProcess(name, spawn(file, args, { ...options, stdio: ['ignore', log, log] }), logFile);
    } finally {
      if (typeof log === 'number') closeSync(log);
    }
  }

  get hasExited(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Whether a stop was requested. */
  get isStopping(): boolean {
    return this.stopping;
  }

  /** stdout and stderr so far. */
  log(): string {
    return this.logFile === undefined ? this.output : readFileSync(this.logFile, 'utf8');
  }

  /** The last 20 lines, each cut to 400 characters. */
  lastLog(): string {
    const lines = this.log().trimEnd().split('\n').slice(-SHOWN_LINES);
    return lines.map((line) => line.slice(0, SHOWN_CHARACTERS)).join('\n');
  }

  /** The log lines so far with one of `messages`. */
  entries(...messages: string[]): LogEntry[] {
    const marks = messages.map((message) => `"msg":${JSON.stringify(message)}`);
    const isMeant = (line: string) => line.endsWith('}') && marks.some((mark) => line.includes(mark));
    const lines = this.log().split('\n').filter(isMeant);
    return lines.map((line) => JSON.parse(line) as LogEntry);
  }

  /**
   * The address on which it listens, from its log line
   * `{"msg":"listening","process":"api","address":"http://127.0.0.1:43121"}`.
   */
  address(role: 'api' | 'worker'): string | undefined {
    return this.entries('listening').find(({ process }) => process === role)?.address;
  }

  /**
   * Resolves when all `addresses` answer `/health/ready` with 200. Throws, with the end of the log, when the process
   * ends before that or takes longer.
   */
  async ready(timeoutMs: number, addresses: () => (string | undefined)[]): Promise<void> {
    let statuses: (number | null)[] = [];
    for (const deadline = Date.now() + timeoutMs; Date.now() < deadline && !this.hasExited; await delay(POLL_MS)) {
      statuses = await Promise.all(addresses().map(async (address) => (address ? await readiness(address) : null)));
      if (statuses.every((status) => status === 200)) return;
    }
    const { exitCode, signalCode } = this.child;
    const reason = this.hasExited
      ? `ended (${signalCode ?? exitCode})`
      : `/health/ready answers ${statuses.join(', ')} after ${timeoutMs} ms`;
    throw new Error(`${this.name} does not become ready: ${reason}\n${this.lastLog()}`);
  }

  /** Sends SIGTERM, and SIGKILL after `timeoutMs`. Resolves to the exit code; `null`: a signal ended it. */
  async stop(timeoutMs = STOP_TIMEOUT_MS): Promise<number | null> {
    this.stopping = true;
    if (!this.hasExited) {
      this.child.kill('SIGTERM');
      const killTimer = setTimeout(() => this.child.kill('SIGKILL'), timeoutMs);
      await this.exited;
      clearTimeout(killTimer);
    }
    return this.child.exitCode;
  }

  /** Sends SIGKILL, like a crash. */
  async kill(): Promise<void> {
    this.stopping = true;
    if (this.hasExited) return;
    this.child.kill('SIGKILL');
    await this.exited;
  }
}

/** The status of `/health/ready`; `null`: no response in time. */
export async function readiness(address: string, timeoutMs = 3_000): Promise<number | null> {
  try {
    const response = await fetch(`${address}/health/ready`, { signal: AbortSignal.timeout(timeoutMs) });
    await response.body?.cancel();
    return response.status;
  } catch {
    return null;
  }
}
