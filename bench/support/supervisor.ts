import { fork } from 'node:child_process';
import { type Command, ManagedProcess } from '../../src/cli/demo/managed-process.js';
import type { Cleanup } from './cleanup.js';
import { program } from './programs.js';

/**
 * Starts processes and ensures that they end. Each leads its own process group, so that Ctrl-C reaches only the bench,
 * which then ends them in order.
 */
export class Supervisor {
  constructor(private readonly cleanup: Cleanup) {}

  /** `quiet`: the caller reports the exit. */
  spawn({ quiet, ...command }: Command & { quiet?: boolean }): ManagedProcess {
    return this.supervise(ManagedProcess.spawn({ ...command, detached: true }), quiet);
  }

  /** Starts a program of the bench, with a channel to it. */
  fork(name: string, execArgv: string[] = []): ManagedProcess {
    const child = fork(program(name), { serialization: 'advanced', detached: true, execArgv });
    return this.supervise(new ManagedProcess(name, child));
  }

  private supervise(process: ManagedProcess, quiet = false): ManagedProcess {
    const { pid, name, child } = process;
    this.cleanup.report({ started: pid });
    child.once('exit', (code, signal) => {
      this.cleanup.report({ exited: pid });
      if (!quiet && !process.isStopping)
        console.error(`bench: ${name} ended (${signal ?? code})\n${process.lastLog()}`);
    });
    this.cleanup.add(() => process.stop());
    return process;
  }
}
