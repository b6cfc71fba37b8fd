import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks per second of /proc: fixed at 100 on Linux, whatever the kernel's own. */
const TICKS_PER_SECOND = 100;

interface ProcessTimes {
  parent: number;
  /** User and system time of its own, in ticks. */
  own: number;
  /** Of its children that have ended. */
  reaped: number;
}

// proc(5), /proc/<pid>/stat: what follows the name in brackets begins with field 3
function processTimes(pid: number | string): ProcessTimes | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined; // it has ended
  }
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = (number: number): number => Number(fields[number - 3]);
  return { parent: field(4), own: field(14) + field(15), reaped: field(16) + field(17) };
}

/** CPU time that a process has used so far, in seconds. */
export const cpuSeconds = (pid: number): number => (processTimes(pid)?.own ?? 0) / TICKS_PER_SECOND;

/** The same of a process and its children, ended ones included: PostgreSQL has a process per connection. */
export function cpuSecondsOfFamily(pid: number): number {
  const head = processTimes(pid);
  if (!head) return 0;
  let ticks = head.own + head.reaped;
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const times = processTimes(entry);
    if (times?.parent === pid) ticks += times.own;
  }
  return ticks / TICKS_PER_SECOND;
}

/** Resident memory in bytes, now and at its peak. */
export function residentMemory(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  const bytes = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) * 1024;
  return { now: bytes('VmRSS'), peak: bytes('VmHWM') };
}

/** Where the CPU time of each part is read; seconds so far. */
export type CpuSources = Record<string, () => number>;

/** Runs `work` and tells how many seconds of CPU each source used meanwhile. */
export async function withCpu<T>(
  sources: CpuSources,
  work: () => Promise<T>,
): Promise<{ result: T; cpu: Record<string, number> }> {
  const before = Object.entries(sources).map(([name, read]) => [name, read()] as const);
  const result = await work();
  const cpu = Object.fromEntries(before.map(([name, start]) => [name, sources[name]!() - start]));
  return { result, cpu };
}
