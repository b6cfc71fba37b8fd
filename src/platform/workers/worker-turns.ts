import { Injectable, Logger, Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { PeriodicTask } from '../../shared/periodic-task.js';
import { Random } from '../../shared/random.js';
import { withTimeout } from '../../shared/clock.js';
import { Database, type Queryable } from '../database/database.js';
import { Metrics } from '../observability/metrics.js';
import { BEAT, type BeatRow, PRUNE_BEATS, PUT_OFF, RECORD_END } from './worker-turns.queries.js';

/** Work that one worker of all does at a time. */
export interface SharedTask {
  /** A sequence made for it by a migration: when the next turn is due. */
  turn: string;
  /** From one turn to the next, whoever gets them. */
  everyMs: number;
  /** Spends at most a tenth of all time on it: a turn that takes long puts the next one off, by `MAX_PUT_OFF_MS` at most. */
  isSparing?: boolean;
  /**
   * Does what is due now, all of it, and ends soon once `stopping` is aborted. Never rejects. Others may get the next turns
   * while it runs, so that a backlog is worked on by more and more workers; each has at most one run of a task.
   */
  run(stopping: AbortSignal): Promise<void>;
}

/** Between two beats of all workers together, which is how soon a turn that is due is taken. */
const SPACING_MS = 300;
/** Between two beats of one worker: however many died at once, the others look after the work again so soon. */
const MAX_INTERVAL_MS = 2_000;
/** A worker that is not heard of for so long does not count any more; one that stops takes as long to send what it has. */
const COUNTS_FOR_MS = 7_000;
const PRUNE_EVERY_MS = 60_000;
const REST_PER_WORK = 9;
const MAX_PUT_OFF_MS = 3_000;
/** A run that does not end goes on behind the stop, and fails when the database is closed. */
const STOP_TIMEOUT_MS = 2_000;

/**
 * Who of all workers does what one is enough for, and how many workers there are. Each tells regularly that it lives
 * (`worker_beats`), and takes the turns that are due with the same statement.
 * - The more workers, the less often each beats, and at moments of its own: together they beat every 300 ms, up to six of
 *   them. So shared work costs the same however many there are, and the next in line makes up for one that dies: nobody
 *   holds anything but the time of the next turn.
 * - Two that ask within the same moment may both get a turn, so it is for work that may be done twice.
 */
@Injectable()
export class WorkerTurns implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(WorkerTurns.name);
  private readonly id: string;
  private readonly tasks: SharedTask[] = [];
  private readonly running = new Map<SharedTask, Promise<void>>();
  private readonly beats = new PeriodicTask(() => this.next());
  private readonly stopping = new AbortController();
  private readonly listeners: ((live: number) => void)[] = [];
  private joining: Promise<void> | undefined;
  private intervalMs = SPACING_MS;
  private live = 1;
  private isFailing = false;

  constructor(
    private readonly database: Database,
    random: Random,
    metrics: Metrics,
  ) {
    this.id = random.uuid();
    const help = 'Workers that share work and caps, as this one last heard';
    const alive = metrics.gauge({ name: 'workers_alive', help });
    this.onChange((live) => alive.set(live));
    this.add({ turn: 'worker_beats_turn', everyMs: PRUNE_EVERY_MS, run: () => this.prune() });
  }

  /** To be called before the application starts. */
  add(task: SharedTask): void {
    this.tasks.push(task);
  }

  /** Tells `listener` how many workers there are, from now on and whenever that changes. */
  onChange(listener: (live: number) => void): void {
    this.listeners.push(listener);
    listener(this.live);
  }

  /** Of something that all workers have together, what this one may take: at least 1. */
  share(of: number): number {
    return Math.max(1, Math.ceil(of / this.live));
  }

  /** Resolves when this worker counts for the others and knows of them; or has tried in vain, and goes on to. */
  join(): Promise<void> {
    return (this.joining ??= this.next().then((restMs) => this.beats.start(restMs)));
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.join();
  }

  /** No turns from now on. The worker counts until it has had time to send what is in flight. */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.beats.stop();
    const ended = Promise.all(this.running.values());
    await withTimeout(STOP_TIMEOUT_MS, ended, 'it takes long').catch((error: unknown) =>
      this.logger.warn({ msg: 'stops although shared work is under way', err: error }),
    );
  }

  /** The next turn is due no sooner than in `forMs`. */
  async putOff(turn: string, forMs: number, on: Queryable = this.database): Promise<void> {
    await on.query(PUT_OFF, [turn, Math.ceil(forMs)]);
  }

  /** That the work of a turn has ended well. `sequence`: another one, made for it by a migration. */
  async recordEnd(sequence: string): Promise<void> {
    await this.database.query(RECORD_END, [sequence]);
  }

  /** Answers how long to rest. Never rejects: a database outage is logged once. */
  private async next(): Promise<number> {
    const idle = this.tasks.filter((task) => !this.running.has(task));
    try {
      const beat = await this.beat(idle);
      this.isFailing = false;
      this.heardOf(beat.live);
      for (const task of idle) if (beat.turns.includes(task.turn)) this.start(task);
      return this.restAfter(beat);
    } catch (error) {
      if (!this.isFailing) this.logger.error({ msg: 'cannot take turns with other workers, trying on', err: error });
      this.isFailing = true;
      return this.intervalMs;
    }
  }

  private async beat(idle: SharedTask[]): Promise<BeatRow> {
    const [turns, everyMs] = [idle.map(({ turn }) => turn), idle.map((task) => task.everyMs)];
    const values = [this.id, COUNTS_FOR_MS, turns, everyMs, MAX_PUT_OFF_MS];
    const [row] = await this.database.query<BeatRow>(BEAT, values);
    return row!;
  }

  private heardOf(live: number): void {
    if (live === this.live) return;
    this.live = live;
    for (const listener of this.listeners) listener(live);
  }

  /** Until the next of this worker's own moments, by the clock of the database, which all workers share. */
  private restAfter({ clock_ms: clockMs, live, place }: BeatRow): number {
    this.intervalMs = Math.min(MAX_INTERVAL_MS, live * SPACING_MS);
    const phaseMs = (place / live) * this.intervalMs;
    const sinceMs = (clockMs - phaseMs) % this.intervalMs;
    const restMs = this.intervalMs - sinceMs;
    return restMs < this.intervalMs / 4 ? restMs + this.intervalMs : restMs;
  }

  private start(task: SharedTask): void {
    if (this.stopping.signal.aborted) return;
    const run = this.run(task).finally(() => this.running.delete(task));
    this.running.set(task, run);
  }

  private async run(task: SharedTask): Promise<void> {
    const startedAt = performance.now();
    await task.run(this.stopping.signal);
    const restMs = Math.min(MAX_PUT_OFF_MS, (performance.now() - startedAt) * REST_PER_WORK);
    if (task.isSparing && restMs > task.everyMs) await this.putOff(task.turn, restMs).catch(() => undefined);
  }

  private async prune(): Promise<void> {
    await this.database.query(PRUNE_BEATS).catch(() => undefined);
  }
}

/** For the workers of features: turns, and how many workers there are. */
@Module({ providers: [WorkerTurns], exports: [WorkerTurns] })
export class WorkersModule {}
