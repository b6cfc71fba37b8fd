import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks per second in /proc: always 100 on Linux, regardless of the kernel's own tick. */
const TICKS_PER_SECOND = 100;

interface ProcessTimes {
  parent: number;
  /** Its own user and system time, in ticks. */
  own: number;
  /** The same of its children that have ended. */
  reaped: number;
}

// proc(5), /proc/<pid>/stat: the text after the name in brackets begins with field 3
function processTimes(pid: number | string): ProcessTimes | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined; // the process has ended
  }
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = (number: number): number => Number(fields[number - 3]);
  return { parent: field(4), own: field(14) + field(15), reaped: field(16) + field(17) };
}

/** CPU time of a process, in seconds. */
export const cpuSeconds = (pid: number): number => (processTimes(pid)?.own ?? 0) / TICKS_PER_SECOND;

/** CPU time of a process and its children, including ended ones: PostgreSQL has a process per connection. */
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

/** Reads the CPU seconds of each part. */
export type CpuSources = Record<string, () => number>;

/** Runs `work` and returns the CPU seconds that each source used meanwhile. */
export async function withCpu<T>(
  sources: CpuSources,
  work: () => Promise<T>,
): Promise<{ result: T; cpu: Record<string, number> }> {
  const before = Object.entries(sources).map(([name, read]) => [name, read()] as const);
  const result = await work();
  const cpu = Object.fromEntries(before.map(([name, start]) => [name, sources[name]!() - start]));
  return { result, cpu };
}
