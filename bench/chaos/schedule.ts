// The plan of a run: the start and duration of each fault. Pure: the same seed and settings give the same plan.
import type { SeededRandom } from '../../src/shared/seeded-random.js';

export const FAULT_KINDS = [
  'kill-worker',
  'kill-workers',
  'kill-api',
  'freeze-worker',
  'queue-wipe',
  'redis-restart',
  'postgres-fast',
  'postgres-immediate',
  'cut-postgres',
  'cut-redis',
  'slow-postgres',
  'slow-redis',
  'receivers',
  'storm',
  'provider',
  'notifications',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

const WORKERS = ['worker-1', 'worker-2'] as const;
export const SLOTS = ['api', ...WORKERS] as const;
/** One of the product's processes. */
export type Slot = (typeof SLOTS)[number];

/**
 * `refuse`: connections are reset, and new ones refused. `hole`: bytes are held back until the fault is over. `reset`:
 * all connections are reset once.
 */
const CUTS = ['refuse', 'hole', 'reset'] as const;
const BEHAVIOURS = ['hang', 'reset', 'refuse', 'error500', 'error503', 'busy429', 'gone410', 'slow', 'flaky'] as const;
/**
 * Faults of calls to the provider. `unreachable`: no call arrives. `mute`: calls take effect, but their answers are
 * lost. `slow`: calls and answers are late, some beyond the caller's time-out. `twice`: each call arrives two times at
 * once.
 */
const PROVIDER_FAULTS = ['unreachable', 'mute', 'slow', 'twice'] as const;
export type ProviderFault = (typeof PROVIDER_FAULTS)[number];
/**
 * Faults of the provider's notifications. `held`: all arrive at the end, in reverse order. `late`: each has its own
 * delay.
 */
const NOTIFICATION_FAULTS = ['held', 'late', 'doubled'] as const;
export type NotificationFault = (typeof NOTIFICATION_FAULTS)[number];
/**
 * How a receiver answers. `slow-healthy`: 200, after a while. `storm`: 503 with a `Retry-After` that makes all
 * deliveries fall due at the same time.
 */
export type Behaviour = 'steady' | 'slow-healthy' | 'good' | 'storm' | (typeof BEHAVIOURS)[number];

/** Response time of a slow but healthy receiver, in ms. */
export const SLOW_HEALTHY_MS = { least: 300, most: 2_000 };

export interface Fault {
  number: number;
  kind: FaultKind;
  /** From the start of the run. */
  atMs: number;
  /** For a kill: until the restart. */
  durationMs: number;
  slots: readonly Slot[];
  cut?: (typeof CUTS)[number];
  latencyMs?: number;
  behaviour?: (typeof BEHAVIOURS)[number];
  /** Indexes of faulty receivers. */
  receivers?: number[];
  /** For a restart of Redis. */
  signal?: 'SIGTERM' | 'SIGKILL';
  keepsData?: boolean;
  /** Between the product and the provider. */
  provider?: ProviderFault;
  notifications?: NotificationFault;
}

export interface PlanOptions {
  durationMs: number;
  maxFaultMs: number;
  pauseMs: number;
  kinds: readonly FaultKind[];
  hasRedis: boolean;
  /** Number of faulty receivers. */
  receivers: number;
}

/** How often a fault begins before the previous one is over. */
const OVERLAP = 0.2;
/** Shortest time between faults that do not overlap, as a share of `pauseMs`. */
const MIN_PAUSE = 0.6;

/** Uses every kind once before it repeats any. */
export function planFaults(random: SeededRandom, options: PlanOptions): Fault[] {
  const kinds = options.kinds.filter((kind) => options.hasRedis || !kind.includes('redis'));
  const faults: Fault[] = [];
  let bag: FaultKind[] = [];
  for (let atMs = options.pauseMs / 2; ;) {
    if (bag.length === 0) bag = random.shuffle(kinds);
    const kind = bag.pop()!;
    // the end of an earlier fault of the same part would end this one, too
    for (const one of faults)
      if (!areIndependent(one.kind, kind))
        atMs = Math.max(atMs, one.atMs + one.durationMs + MIN_PAUSE * options.pauseMs);
    const fault = detail(kind, faults.length + 1, Math.round(atMs), random, options);
    if (fault.atMs + fault.durationMs > options.durationMs && faults.length > 0) return faults;
    faults.push(fault);
    const next = bag.at(-1);
    const overlaps = random.chance(OVERLAP) && next !== undefined && areIndependent(fault.kind, next);
    const pause = options.pauseMs * (MIN_PAUSE + 0.8 * random.next());
    atMs += overlaps ? fault.durationMs * random.next() : fault.durationMs + pause;
  }
}

function detail(kind: FaultKind, number: number, atMs: number, random: SeededRandom, options: PlanOptions): Fault {
  const durationMs = Math.round(options.maxFaultMs * (0.25 + 0.75 * random.next()));
  const base: Fault = { number, kind, atMs, durationMs, slots: [] };
  switch (kind) {
    case 'kill-worker':
      return { ...base, durationMs: Math.round(durationMs / 4), slots: [random.pick(WORKERS)] };
    case 'kill-workers':
      return { ...base, durationMs: Math.round(durationMs / 4), slots: WORKERS };
    case 'kill-api':
      return { ...base, durationMs: Math.round(durationMs / 4), slots: ['api'] };
    case 'freeze-worker':
      return { ...base, slots: [random.pick(WORKERS)] };
    case 'queue-wipe':
      return { ...base, durationMs: 0 };
    case 'redis-restart':
      return { ...base, signal: random.pick(['SIGTERM', 'SIGKILL'] as const), keepsData: random.chance(0.5) };
    case 'postgres-fast':
    case 'postgres-immediate':
      return { ...base, durationMs: random.chance(0.5) ? 0 : Math.round(durationMs / 2) };
    case 'cut-postgres':
    case 'cut-redis': {
      const cut = random.pick(CUTS);
      return { ...base, cut, slots: slotsFor(random), durationMs: cut === 'reset' ? 0 : durationMs };
    }
    case 'slow-postgres':
    case 'slow-redis':
      return { ...base, slots: slotsFor(random), latencyMs: random.integer(20, 250) };
    case 'receivers': {
      const all = Array.from({ length: options.receivers }, (_, index) => index);
      const receivers = random.shuffle(all).slice(0, random.integer(1, options.receivers));
      return { ...base, behaviour: random.pick(BEHAVIOURS), receivers };
    }
    case 'storm': // long enough for many retries
      return { ...base, durationMs: Math.round((durationMs + options.maxFaultMs) / 2) };
    case 'provider':
      return { ...base, provider: random.pick(PROVIDER_FAULTS) };
    case 'notifications':
      return { ...base, notifications: random.pick(NOTIFICATION_FAULTS) };
  }
}

const slotsFor = (random: SeededRandom): readonly Slot[] => (random.chance(0.5) ? SLOTS : [random.pick(SLOTS)]);

/** Two faults of the same part of the system would end each other. */
function areIndependent(one: FaultKind, other: FaultKind): boolean {
  return partOf(one) !== partOf(other);
}

function partOf(kind: FaultKind): string {
  if (kind.includes('postgres')) return 'postgres';
  if (kind.includes('redis') || kind === 'queue-wipe') return 'queue';
  if (kind === 'receivers' || kind === 'storm') return 'receivers';
  if (kind === 'provider' || kind === 'notifications') return kind;
  return 'processes';
}

/** For example `cut-postgres hole api 4.2 s`. */
export function describeFault(fault: Fault): string {
  const slots = fault.slots.length === SLOTS.length ? 'all' : fault.slots.join('+');
  const words = [
    fault.kind,
    fault.cut,
    fault.behaviour,
    fault.provider,
    fault.notifications,
    fault.signal,
    fault.keepsData === undefined ? undefined : fault.keepsData ? 'keeping its data' : 'losing its data',
    fault.receivers && `on ${fault.receivers.length} receivers`,
    slots,
    fault.latencyMs && `by ${fault.latencyMs} ms`,
    fault.durationMs > 0 && `${(fault.durationMs / 1_000).toFixed(1)} s`,
  ];
  return words.filter(Boolean).join(' ');
}
