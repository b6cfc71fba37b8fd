// The plan of a run: which fault begins when, and for how long. Pure: the same seed and settings give the same plan.
import type { SeededRandom } from '../../test/support/seeded-random.js';

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
 * `refuse`: connections are reset, new ones refused. `hole`: bytes go nowhere, and arrive when it is over.
 * `reset`: all connections are reset once.
 */
const CUTS = ['refuse', 'hole', 'reset'] as const;
const MANNERS = ['hang', 'reset', 'refuse', 'error500', 'error503', 'busy429', 'gone410', 'slow', 'flaky'] as const;
/**
 * What is wrong with the way to the provider. `away`: nothing arrives. `mute`: what arrives is done, and its answer lost.
 * `slow`: calls and answers come late, some of them later than anybody waits. `twice`: each call arrives two times at once.
 */
const PROVIDER_TROUBLES = ['away', 'mute', 'slow', 'twice'] as const;
export type ProviderTrouble = (typeof PROVIDER_TROUBLES)[number];
/** What is wrong with the way back. `held`: all of it comes at the end, the last first. `late`: each after a time of its own. */
const NOTIFICATION_TROUBLES = ['held', 'late', 'doubled'] as const;
export type NotificationTrouble = (typeof NOTIFICATION_TROUBLES)[number];
/**
 * How a receiver treats requests. `unhurried`: 200, after a while. `storm`: 503 with a `Retry-After` that lets all of them
 * fall due at one moment.
 */
export type Manner = 'steady' | 'unhurried' | 'good' | 'storm' | (typeof MANNERS)[number];

/** What an unhurried receiver takes, in ms. */
export const UNHURRIED_MS = { least: 300, most: 2_000 };

export interface Fault {
  number: number;
  kind: FaultKind;
  /** From the start of the run. */
  atMs: number;
  /** Of a kill: until the restart. */
  durationMs: number;
  slots: readonly Slot[];
  cut?: (typeof CUTS)[number];
  latencyMs?: number;
  manner?: (typeof MANNERS)[number];
  /** Which of the faulty receivers. */
  receivers?: number[];
  /** Of a Redis that is restarted. */
  signal?: 'SIGTERM' | 'SIGKILL';
  keepsData?: boolean;
  /** Between us and the provider. */
  provider?: ProviderTrouble;
  notifications?: NotificationTrouble;
}

export interface PlanOptions {
  durationMs: number;
  maxFaultMs: number;
  restMs: number;
  kinds: readonly FaultKind[];
  hasRedis: boolean;
  /** How many receivers are faulty. */
  receivers: number;
}

/** How often the next fault comes before this one is over. */
const OVERLAP = 0.2;
/** From the end of a fault to the next that does not overlap, as a part of `restMs`, at least. */
const LEAST_REST = 0.6;

/** Every kind comes up before any comes up again. */
export function planFaults(random: SeededRandom, options: PlanOptions): Fault[] {
  const kinds = options.kinds.filter((kind) => options.hasRedis || !kind.includes('redis'));
  const faults: Fault[] = [];
  let bag: FaultKind[] = [];
  for (let atMs = options.restMs / 2; ;) {
    if (bag.length === 0) bag = random.shuffle(kinds);
    const kind = bag.pop()!;
    // the end of an earlier fault of the same part would undo this one
    for (const one of faults)
      if (!areIndependent(one.kind, kind))
        atMs = Math.max(atMs, one.atMs + one.durationMs + LEAST_REST * options.restMs);
    const fault = detail(kind, faults.length + 1, Math.round(atMs), random, options);
    if (fault.atMs + fault.durationMs > options.durationMs && faults.length > 0) return faults;
    faults.push(fault);
    const next = bag.at(-1);
    const overlaps = random.chance(OVERLAP) && next !== undefined && areIndependent(fault.kind, next);
    const rest = options.restMs * (LEAST_REST + 0.8 * random.next());
    atMs += overlaps ? fault.durationMs * random.next() : fault.durationMs + rest;
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
      return { ...base, manner: random.pick(MANNERS), receivers };
    }
    case 'storm': // long enough to gather many
      return { ...base, durationMs: Math.round((durationMs + options.maxFaultMs) / 2) };
    case 'provider':
      return { ...base, provider: random.pick(PROVIDER_TROUBLES) };
    case 'notifications':
      return { ...base, notifications: random.pick(NOTIFICATION_TROUBLES) };
  }
}

const slotsFor = (random: SeededRandom): readonly Slot[] => (random.chance(0.5) ? SLOTS : [random.pick(SLOTS)]);

/** Two faults of one part of the system would undo each other. */
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

/** `cut-postgres hole api 4.2 s`. */
export function describeFault(fault: Fault): string {
  const slots = fault.slots.length === SLOTS.length ? 'all' : fault.slots.join('+');
  const words = [
    fault.kind,
    fault.cut,
    fault.manner,
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
