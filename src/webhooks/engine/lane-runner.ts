import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import type { OutboundResult } from '../../platform/outbound/outbound-result.js';
import { growingCache } from '../../shared/growing-cache.js';
import { WebhookMetrics } from '../outbox/webhook-metrics.js';
import { AttemptRecorder } from './attempt-recorder.js';
import { DeliveryClaims } from './delivery-claims.js';
import { DeliveryStore } from './delivery-store.js';
import { LaneRun, type LaneRunContext } from './lane-run.js';
import { DeliveryPermits } from './permits/delivery-permits.js';
import type { Arrival, PermitLane } from './permits/permit-lane.js';
import { PermitRests } from './permits/permit-rests.js';
import { LEVELS } from './permits/permit-room.js';
import { SendTurns } from './send-turns.js';
import { WebhookSender } from './webhook-sender.js';

/** Lanes that something is remembered of: what they are, and how their endpoint answers. */
const MAX_KNOWN = 20_000;
/** Lanes in line at most; others are left to the reconciler, which finds them again. */
const MAX_WAITING = 10_000;
/** With so many lanes in line that would be served at once, other processes are the better place. */
const ENOUGH_WAITING = 500;
/** Freed permits are dealt out together, so that claims are worth their statement: when there are so many, or so much later. */
const DEAL_TOGETHER = 128;
const DEAL_AFTER_MS = 5;
/**
 * While lanes that answer hold fewer permits, they do not compete for them: one with nothing in flight does not wait for
 * others. What hangs frees its permits every three seconds, and is nobody to wait for.
 */
const FEW_HELD = 64;
/** While a slow endpoint keeps a lane here, what has become due meanwhile is looked for this often. */
const LOOK_AGAIN_MS = 300;
/** After so many of these looks other workers are called in, for so many lanes at most. */
const LOOKS_PER_CALL = 4;
const MAX_CALLED = 100;
/** A line of log about what this machine lacks comes this often at most. */
const LACK_LINE_EVERY_MS = 10_000;
/** Results that wait for being recorded; with more of them the database is too slow to claim on. */
const MAX_UNRECORDED = 2_000;

/**
 * Drains lanes in this process: `wake` → permits (`DeliveryPermits`) → claim → post → record (`LaneRun`).
 * - A lane runs at most once at a time. Woken while it runs, it claims again: what was committed since is not missed.
 * - A lane that waits for permits holds nothing: no slot, no connection, no claimed row.
 * - What fails is a fault of ours: it is logged, and what had been claimed comes back when its lease is over.
 *
 * All of the engine on a virtual clock, with ports in place of the database and the network:
 * `new LaneRunner(store, new DeliveryClaims(store, { openWebhookSecrets }, config), { send }, new AttemptRecorder(store,
 * metrics, clock, config, { add }), metrics, config)`. It uses the global timers only.
 */
@Injectable()
export class LaneRunner {
  private readonly logger = new Logger(LaneRunner.name);
  private readonly permits: DeliveryPermits;
  private readonly known = growingCache<number, PermitLane>(MAX_KNOWN);
  private readonly runs = new Map<number, LaneRun>();
  private readonly context: LaneRunContext;
  private readonly rests = new PermitRests();
  /** Permits held after the last deal. */
  private dealt = 0;
  private dealTimer: NodeJS.Timeout | undefined;
  private lookTimer: NodeJS.Timeout | undefined;
  private lastFailure: unknown;
  private nextLackLineAt = -Infinity;
  private looks = 0;
  private callIn: ((laneIds: number[]) => void) | undefined;
  private handOver: ((laneIds: number[]) => void) | undefined;
  private readonly whenRoomy: (() => void)[] = [];
  private readonly whenIdle: (() => void)[] = [];

  constructor(
    private readonly store: DeliveryStore,
    claims: DeliveryClaims,
    @Inject(WebhookSender) sender: LaneRunContext['sender'],
    recorder: AttemptRecorder,
    private readonly metrics: WebhookMetrics,
    @InjectConfig() config: Pick<Config, 'workerConcurrency'>,
  ) {
    this.permits = new DeliveryPermits(config.workerConcurrency);
    this.context = {
      permits: this.permits,
      claims,
      sender,
      turns: new SendTurns(),
      recorder,
      claimed: (deliveries) => metrics.claims.inc({ brought: deliveries > 0 ? 'deliveries' : 'nothing' }),
      freed: (run) => this.dealSoon(run),
      rest: (giveBack) => this.rests.add(giveBack),
      failed: (laneId, error) => this.failed(laneId, error),
      lacked: (result) => this.lacked(result),
      handOver: (laneId) => this.handOver?.([laneId]),
    };
  }

  /** These lanes may have something due. `arrival`: what is thought of those that were never tried here. */
  wake(laneIds: Iterable<number>, arrival: Arrival = 'new'): void {
    if (this.handOver) return this.handOver([...laneIds]);
    const strangers: number[] = [];
    for (const laneId of laneIds) {
      const lane = this.runs.get(laneId)?.lane ?? this.known.get(laneId);
      if (lane) this.run(lane);
      else strangers.push(laneId);
    }
    this.deal();
    if (strangers.length > 0) void this.introduce(strangers, arrival);
  }

  /** Of the connections of an origin, this worker takes its share of so many. */
  sharedBy(workers: number): void {
    this.permits.shareAmong(workers);
    this.deal();
  }

  /** `callIn` gets, from time to time, lanes with a backlog for which this worker's share of their origin's connections is small. */
  whenShort(callIn: (laneIds: number[]) => void): void {
    this.callIn = callIn;
  }

  /** Whether the lane waits for permits here, and will then claim what is due. */
  isInLine(laneId: number): boolean {
    return (this.runs.get(laneId)?.lane.wanted ?? 0) > 0;
  }

  /** How many lanes more may stand in line. */
  get room(): number {
    return Math.max(0, MAX_WAITING - this.waiting);
  }

  /** Resolves as soon as lanes that answer are served here without much waiting; how many others wait does not matter. */
  hasRoom(): Promise<void> {
    if (this.isRoomy) return Promise.resolve();
    return new Promise((resolve) => this.whenRoomy.push(resolve));
  }

  /**
   * No claims from now on; what is claimed and not sent is handed back. Resolves when what is in flight is recorded.
   * `handOver` gets the lanes that may have more due, and those that are woken from now on.
   */
  async stop(handOver: (laneIds: number[]) => void): Promise<void> {
    this.handOver = handOver;
    clearTimeout(this.dealTimer);
    clearTimeout(this.lookTimer);
    for (const resolve of this.whenRoomy.splice(0)) resolve();
    for (const run of [...this.runs.values()]) {
      run.stop();
      this.endIfOver(run);
    }
    this.rests.end();
    if (this.runs.size > 0) await new Promise<void>((resolve) => this.whenIdle.push(resolve));
  }

  private run(lane: PermitLane): void {
    let run = this.runs.get(lane.info.id);
    if (run === undefined) {
      if (this.room === 0) return;
      run = new LaneRun(lane, this.context);
      this.runs.set(lane.info.id, run);
      this.lookTimer ??= setTimeout(() => this.look(), LOOK_AGAIN_MS);
    }
    run.wake();
  }

  /** Lanes never change, so each is read once. */
  private async introduce(laneIds: number[], arrival: Arrival): Promise<void> {
    try {
      const infos = await this.store.lanes(laneIds);
      for (const info of infos) {
        if (!this.known.has(info.id)) this.known.set(info.id, this.permits.lane(info, arrival));
      }
      const ids = infos.map(({ id }) => id);
      if (ids.length > 0) this.wake(ids, arrival);
    } catch (error) {
      this.failed(laneIds[0]!, error);
    }
  }

  /** Claims under the permits that are free. */
  private deal(): void {
    clearTimeout(this.dealTimer);
    this.dealTimer = undefined;
    if (this.handOver || this.context.recorder.unrecorded >= MAX_UNRECORDED) return;
    const grants = this.permits.deal();
    this.dealt = this.permits.total;
    for (const [lane, grant] of grants) void this.runs.get(lane.info.id)!.claim(grant);
    if (this.isRoomy) for (const resolve of this.whenRoomy.splice(0)) resolve();
  }

  private dealSoon(run: LaneRun): void {
    this.endIfOver(run);
    if (this.waiting === 0 || this.handOver) return;
    const { total } = this.permits;
    const { lane } = run;
    const waitsAlone = lane.held === 0 && lane.wanted > 0 && this.permits.heldByAnswering < FEW_HELD;
    if (waitsAlone || this.dealt - total >= Math.min(DEAL_TOGETHER, this.dealt / 2)) this.deal();
    else this.dealTimer ??= setTimeout(() => this.deal(), DEAL_AFTER_MS);
  }

  private endIfOver(run: LaneRun): void {
    if (!run.isOver || !this.runs.delete(run.lane.info.id) || this.runs.size > 0) return;
    this.measure();
    for (const resolve of this.whenIdle.splice(0)) resolve();
  }

  private look(): void {
    const now = performance.now();
    for (const run of this.runs.values()) if (run.isStale(now, LOOK_AGAIN_MS)) run.wake();
    this.deal();
    this.measure();
    if (++this.looks % LOOKS_PER_CALL === 0) this.callOthersIn();
    this.lookTimer = this.runs.size > 0 ? setTimeout(() => this.look(), LOOK_AGAIN_MS) : undefined;
  }

  private callOthersIn(): void {
    const short = [...this.runs.values()].filter(({ lane }) => this.permits.lacksShare(lane)).slice(0, MAX_CALLED);
    if (short.length > 0) this.callIn?.(short.map(({ lane }) => lane.info.id));
  }

  private get waiting(): number {
    return this.permits.waiting.reduce((sum, lanes) => sum + lanes, 0);
  }

  private get isRoomy(): boolean {
    const [few, many] = this.permits.waiting;
    return few! + many! < ENOUGH_WAITING;
  }

  private measure(): void {
    const { metrics, permits } = this;
    metrics.lanesActive.set(this.runs.size);
    metrics.bodyBytes.set(permits.heldBytes);
    for (const [index, level] of LEVELS.entries()) {
      metrics.permits.set({ level }, permits.held[index]!);
      metrics.lanesWaiting.set({ level }, permits.waiting[index]!);
    }
  }

  /** The lanes of one claim fail with one error. */
  private failed(laneId: number, error: unknown): void {
    if (error !== this.lastFailure) this.logger.warn({ msg: 'lane failed', laneId, err: error });
    this.lastFailure = error;
  }

  private lacked({ error, errorMessage }: OutboundResult): void {
    this.metrics.attempts.inc({ outcome: error! });
    const now = performance.now();
    if (now < this.nextLackLineAt) return;
    this.nextLackLineAt = now + LACK_LINE_EVERY_MS;
    this.logger.error({ msg: 'webhooks cannot be sent from here, trying on', reason: errorMessage });
  }
}
