import { Injectable } from '@nestjs/common';
import { requireValidDefinition } from '../definition/valid-definition.js';
import { Database, type Statement, type Transaction } from '../../platform/database/database.js';
import { DISORDER_MS, firstIdSince } from '../../platform/database/first-id-since.js';
import { ReplicaReads } from '../../platform/database/replica-reads.js';
import { MerchantSlots } from '../../platform/cpu-scheduler/merchant-slots.js';
import { CpuScheduler } from '../../platform/cpu-scheduler/cpu-scheduler.service.js';
import type { WorkOwner } from '../../platform/cpu-scheduler/work-owner.js';
import { type FieldError, Problem } from '../../shared/problem.js';
import type { ShopSummary } from '../../shops/shop-summary.js';
import { ShopsService } from '../../shops/shops.service.js';
import { assertionFailure } from '@payment-orchestrator/routing/definition/assertions';
import type { FlowDefinition } from '@payment-orchestrator/routing/definition/definition';
import { FlowLoaderService } from '../routing/loader.service.js';
import { FlowVersionsService } from '../management/versions.service.js';
import { FLOW_BY_ID, type FlowRow } from '../routing/flow.queries.js';
import { Backtest } from '@payment-orchestrator/routing/backtest/backtest';
import { LAST_PAYMENT_LEFT_OUT, pastPayments, PAYMENTS_SINCE } from './backtest.queries.js';
import { pastPayment, type PastPaymentRow } from '@payment-orchestrator/routing/backtest/past-payment';
import { type RoutableFlow, routableFlow } from '@payment-orchestrator/routing/decision/routable-flow';
import type { StatsByShop } from '@payment-orchestrator/routing/decision/candidates';

/** The payments to run, and the draft to run them through. */
export interface BacktestRequest {
  /** A draft, or the number of a stored version. */
  draft: FlowDefinition | number;
  /** Inclusive. */
  from?: Date;
  /** Exclusive. */
  to?: Date;
  /** If there are more payments, the newest are used. */
  limit: number;
  /** The seed of the random numbers for payments without a recorded one. */
  seed: number;
}

export interface BacktestResult {
  flow: Pick<FlowRow, 'id' | 'name'>;
  /** `null`: a draft that is not stored. */
  version: number | null;
  definition: FlowDefinition;
  backtest: Backtest;
  seed: number;
  first: Date | undefined;
  last: Date | undefined;
  /** Whether there are older payments in the range. */
  isCut: boolean;
  /** Shops of the draft and of the past decisions, by id. */
  shops: ReadonlyMap<number, ShopSummary>;
  /** The assertions of the draft for which its activation would be refused. */
  violations: readonly FieldError[];
}

/**
 * Payments per read. They are parsed when they arrive, which cannot be divided into time slices. Metadata may be 16 KiB
 * each.
 */
const BATCH_SIZE = 100;
const BATCH_SIZE_WITH_METADATA = 25;
/** Each backtest holds a database connection for some seconds. */
const SLOTS = { what: 'backtests', total: 2, perMerchant: 1, waitingPerMerchant: 1, waiting: 20 };

/**
 * Runs past payments through other versions of their flow. Reads in one read-only transaction, in batches; each batch
 * then runs in the fair queue.
 */
@Injectable()
export class BacktestService {
  private readonly slots = new MerchantSlots(SLOTS);

  constructor(
    private readonly database: Database,
    private readonly reads: ReplicaReads,
    private readonly loader: FlowLoaderService,
    private readonly versions: FlowVersionsService,
    private readonly shops: ShopsService,
    private readonly work: CpuScheduler,
  ) {}

  /**
   * Stops if the client disconnects. Problems: `flow_not_found`, `flow_version_not_found`, `validation_failed` (fields
   * of `definition`), `too_many_requests`, `client_closed_request`.
   */
  async backtest(
    merchantId: number,
    flowId: number,
    request: BacktestRequest,
    owner: WorkOwner,
  ): Promise<BacktestResult> {
    return this.slots.run(owner, () => this.run(merchantId, flowId, request, owner));
  }

  private async run(
    merchantId: number,
    flowId: number,
    request: BacktestRequest,
    owner: WorkOwner,
  ): Promise<BacktestResult> {
    const [flow] = await this.database.query<FlowRow>(FLOW_BY_ID, [merchantId, flowId]);
    if (!flow) throw new Problem('flow_not_found');
    const { version, definition } = await this.draftOf(merchantId, flowId, request.draft);
    const { shops, statsByShop, segments } = await this.loader.stateOf(merchantId, definition);
    const routable = await this.work.run(owner, prepared(definition, shops, version));
    const failure = await this.work.run(owner, assertionFailure(definition, shops));
    const backtest = new Backtest(routable, allHealthy(statsByShop), request.seed, segments);
    const read = await this.reads.readOnly((transaction) =>
      this.feed(backtest, transaction, flow.id, request, usesMetadata(definition), owner),
    );
    const pastShops = await this.shops.summaries(merchantId, [...backtest.before.keys()]);
    const allShops = new Map([...shops, ...pastShops.map((shop) => [shop.id, shop] as const)]);
    return {
      flow,
      version,
      definition,
      backtest,
      seed: request.seed,
      ...read,
      shops: allShops,
      violations: failure?.errors ?? [],
    };
  }

  private async draftOf(
    merchantId: number,
    flowId: number,
    draft: FlowDefinition | number,
  ): Promise<{ version: number | null; definition: FlowDefinition }> {
    return typeof draft === 'number'
      ? this.versions.find(merchantId, flowId, draft)
      : { version: null, definition: draft };
  }

  private async feed(
    backtest: Backtest,
    transaction: Transaction,
    flowId: number,
    { from = BEGINNING, to = END, limit }: BacktestRequest,
    withMetadata: boolean,
    owner: WorkOwner,
  ): Promise<Read> {
    const read = <Row>(statement: Statement, values: unknown[]): Promise<Row[]> =>
      this.read<Row>(transaction, statement, values);
    const idSince = (time: Date, ms: number): Promise<number> =>
      firstIdSince(transaction, PAYMENTS_SINCE, new Date(time.getTime() + ms));
    const low = from === BEGINNING ? 0 : await idSince(from, -DISORDER_MS);
    const high = to === END ? Number.MAX_SAFE_INTEGER : await idSince(to, DISORDER_MS);
    const within = (id: number, size: number): unknown[] => [flowId, from, to, id, high, size];
    const [leftOut] = await read<{ id: number }>(LAST_PAYMENT_LEFT_OUT, within(low, limit));
    const statement = pastPayments({ withMetadata });
    const size = withMetadata ? BATCH_SIZE_WITH_METADATA : BATCH_SIZE;
    let next = leftOut ? leftOut.id + 1 : low;
    let first: Date | undefined;
    let last: Date | undefined;
    for (;;) {
      if (owner.isGone) throw new Problem('client_closed_request');
      const batch = await read<PastPaymentRow>(statement, within(next, size));
      await this.work.run(owner, addAll(backtest, batch));
      first ??= batch[0]?.created_at;
      last = batch.at(-1)?.created_at ?? last;
      if (batch.length < size) return { first, last, isCut: leftOut !== undefined };
      next = batch.at(-1)!.id + 1;
    }
  }

  /** Limits the database's time in the same way as that of the event loop. */
  private async read<Row>(transaction: Transaction, statement: Statement, values: unknown[]): Promise<Row[]> {
    const startedAt = performance.now();
    const rows = await transaction.query<Row>(statement, values);
    await this.work.pauseAfter(performance.now() - startedAt);
    return rows;
  }
}

type Read = Pick<BacktestResult, 'first' | 'last' | 'isCut'>;

/** The range of `timestamptz`, as far as `Date` supports it. */
const BEGINNING = new Date(0);
const END = new Date('9999-12-31T23:59:59.999Z');

function* addAll(backtest: Backtest, batch: readonly PastPaymentRow[]): Generator<void, void> {
  for (const row of batch) {
    backtest.add(pastPayment(row));
    yield;
  }
}

function* prepared(
  definition: FlowDefinition,
  shops: ReadonlyMap<number, ShopSummary>,
  version: number | null,
): Generator<void, RoutableFlow> {
  if (version === null) yield* requireValidDefinition(definition, new Set(shops.keys()), 'definition.');
  return routableFlow(definition, shops, version);
}

/**
 * Metadata can be long, and most flows do not use it. A key of this name follows a quotation mark; a value hardly ever
 * does.
 */
const usesMetadata = ({ rules = [] }: FlowDefinition): boolean => JSON.stringify(rules).includes('"metadata.');

/** The current health of the shops has no meaning for a past payment. */
const allHealthy = (shops: StatsByShop): StatsByShop =>
  new Map([...shops].map(([id, shop]) => [id, { ...shop, health: 'healthy' as const }]));
