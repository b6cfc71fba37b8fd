import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { ManagedProcess } from '../../../src/cli/demo/managed-process.js';
import { eventually } from '../eventually.js';
import { forgetProcess, rememberProcess } from '../servers/servers.js';

const WAYS = [
  ['--pid', '--fork', '--kill-child'],
  ['--user', '--map-root-user', '--pid', '--fork', '--kill-child'],
];

/**
 * The flags of `unshare` that make a program process 1 of a new PID namespace, as in a container; `undefined`: not
 * allowed here.
 */
const way = WAYS.find((flags) => {
  try {
    execFileSync('unshare', [...flags, 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});

export interface FirstProcess {
  /** stdout and stderr so far. */
  log(): string;
  /** Sends a signal to the program, not to `unshare`. */
  signal(signal: NodeJS.Signals): Promise<void>;
  /** Resolves to the exit code, or to the name of the signal that ended it. */
  ended(): Promise<number | string>;
  kill(): Promise<void>;
}

/**
 * Runs Node as process 1, which only receives signals that it handles. Runs it as an ordinary process where this is not
 * allowed.
 */
export function spawnFirstProcess(args: string[], env: Record<string, string>, cwd: string): FirstProcess {
  const started = ManagedProcess.spawn(
    way
      ? { name: 'process 1', file: 'unshare', args: [...way, process.execPath, ...args], env, cwd }
      : { name: 'process', args, env, cwd },
  );
  rememberProcess(started.pid);
  started.child.once('exit', () => forgetProcess(started.pid));
  const program = async () => (way ? eventually(() => childOf(started.pid)) : started.pid);
  return {
    log: () => started.log(),
    signal: async (signal) => void process.kill(await program(), signal),
    ended: async () => {
      await eventually(() => started.hasExited);
      return started.child.exitCode ?? started.child.signalCode!;
    },
    kill: () => started.kill(),
  };
}

const childOf = (pid: number): number | false =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0]) || false;
