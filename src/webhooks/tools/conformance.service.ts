// Limits of a run: cases are sent one after the other, because a receiver with one thread must pass. Each request has the
// time-out of a delivery, and after `MAX_RUN_MS` nothing more is sent. The runs of a merchant are rate-limited, so that no
// one can use them to attack an address.
import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { AuditLogService } from '../../audit/audit-log.service.js';
import type { AuditContext } from '../../audit/audit-context.js';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import { Database } from '../../platform/database/database.js';
import { MerchantSlots } from '../../platform/cpu-scheduler/merchant-slots.js';
import type { WorkOwner } from '../../platform/cpu-scheduler/work-owner.js';
import { OutboundHttp } from '../../platform/outbound/outbound-http.service.js';
import { OutboundFailure, type OutboundResult } from '../../platform/outbound/outbound-result.js';
import { tooManyRequests } from '../../platform/rate-limit/rate-limit-answer.js';
import { RateLimits } from '../../platform/rate-limit/rate-limits.service.js';
import type { SharedLimit } from '../../platform/rate-limit/shared-limit.js';
import { Clock, pause } from '../../shared/clock.js';
import { Random } from '../../shared/random.js';
import { Receivers, type SampleReceiver } from '../endpoint/secrets/receivers.service.js';
import type { EndpointRef } from '../endpoint/secrets/receiver.js';
import { ReceiverAuth } from '../endpoint/auth/receiver-auth.service.js';
import { USER_AGENT } from '../endpoint/auth/access-token.js';
import { type CaseRequest, CaseSigner } from './case-signer.js';
import { type ConformanceCase, CASES, DIAGNOSES } from './conformance-cases.js';
import { type CaseResult, isAcknowledged, judge, notSent } from './conformance-verdict.js';

/** No request is sent after this time. The current one still has its time-out. */
const MAX_RUN_MS = 25_000;
const SLOTS = { what: 'conformance runs', total: 10, perMerchant: 1, waitingPerMerchant: 1, waiting: 20 };
/** Rate limit of a merchant. */
const RUNS = { name: 'conformance-runs', perSecond: 0.2, burst: 30 };
const PIECES = 8;
const ACTIONS = { default: 'webhook.conformance_run', standing: 'endpoint.conformance_run' } as const;
const NO_ANSWER = { statusCode: null, durationMs: 0, retryAfter: null, responseBody: Buffer.alloc(0) };

/** The receiver of the requests, at its address. */
type CaseReceiver = SampleReceiver & { url: string };

export interface ConformanceReport {
  passed: boolean;
  cases: CaseResult[];
}

/** Tests a receiver with genuine, unusual and wrong webhooks. */
@Injectable()
export class ConformanceService {
  private readonly slots = new MerchantSlots(SLOTS);
  private readonly runs: SharedLimit | undefined;

  constructor(
    private readonly receivers: Receivers,
    private readonly auth: ReceiverAuth,
    private readonly outbound: OutboundHttp,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly database: Database,
    private readonly audit: AuditLogService,
    limits: RateLimits,
    @InjectConfig() private readonly config: Pick<Config, 'webhookTimeoutMs'>,
  ) {
    this.runs = limits.define(RUNS);
  }

  /**
   * Sends all cases to an endpoint, and reports the answers. `url`: the address, for the default endpoint of a shop. Only the
   * audit entry is stored. Ends early if the genuine request gets no answer or the client disconnects. Problems:
   * `shop_not_found`, `endpoint_not_found`, `endpoint_not_standing`, `too_many_requests`, `client_closed_request`.
   */
  async run(
    kind: EndpointRef['kind'],
    id: number,
    url: string | undefined,
    context: AuditContext,
    owner: WorkOwner,
  ): Promise<ConformanceReport> {
    const { merchantId } = owner;
    const endpoint = { kind, merchantId, id };
    await this.receivers.require(endpoint);
    const verdict = await this.runs?.take(String(merchantId));
    if (verdict?.allowed === false) throw tooManyRequests('conformance runs', verdict);
    return this.slots.run(owner, async () => {
      const found = await this.receivers.find(endpoint);
      const entry = { merchantId, action: ACTIONS[kind], objectId: id };
      await this.database.transaction((transaction) => this.audit.record(transaction, context, entry));
      const cases = await this.runCases({ ...found, url: (url ?? found.receiver.url)! }, owner);
      return { passed: cases.every(({ passed }) => passed), cases };
    });
  }

  private async runCases(receiver: CaseReceiver, owner: WorkOwner): Promise<CaseResult[]> {
    const signer = new CaseSigner(receiver.shop, receiver.secrets, this.random, () => this.clock.now());
    const endsAt = performance.now() + MAX_RUN_MS;
    const sent = new Map<string, readonly CaseRequest[]>();
    const results: CaseResult[] = [];
    let isUnanswered = false;
    for (const each of CASES) {
      if (isUnanswered || owner.isGone || performance.now() > endsAt) {
        results.push(notSent(each, isUnanswered));
        continue;
      }
      const requests = each.make(signer, sent);
      sent.set(each.name, requests);
      const answers = await this.sendAll(requests, receiver);
      isUnanswered = results.length === 0 && answers[0]!.error !== null;
      const result = judge(each, requests, answers, this.config.webhookTimeoutMs);
      results.push(await this.diagnosed(each, answers, result, signer, receiver));
    }
    return results;
  }

  private async sendAll(requests: readonly CaseRequest[], receiver: CaseReceiver): Promise<OutboundResult[]> {
    const answers: OutboundResult[] = [];
    for (const request of requests) answers.push(await this.send(request, receiver));
    return answers;
  }

  /** A failure to authenticate is an answer, too. */
  private async send(request: CaseRequest, { url, receiver }: CaseReceiver): Promise<OutboundResult> {
    const { endpointId, auth, headers } = receiver;
    if (endpointId === null) return this.post(request, url, {});
    const authorization = auth && (await this.auth.authorization(endpointId, auth));
    if (authorization instanceof OutboundFailure) {
      const { code: error, message: errorMessage } = authorization;
      return { ...NO_ANSWER, error, errorMessage, startedAt: this.clock.now() };
    }
    const own = { ...headers, ...(authorization && { authorization }), 'webhook-endpoint-id': String(endpointId) };
    return this.post(request, url, own);
  }

  private post(
    { body, headers, isSlow }: CaseRequest,
    url: string,
    own: Record<string, string>,
  ): Promise<OutboundResult> {
    const { webhookTimeoutMs: timeoutMs } = this.config;
    const bytes = Buffer.from(body, 'utf8');
    const common = { ...own, 'user-agent': USER_AGENT, ...headers };
    if (!isSlow) return this.outbound.post({ url, body: bytes, headers: common, timeoutMs });
    const slow = Readable.from(inPieces(bytes, timeoutMs / 2), { objectMode: false });
    // if the request fails, the stream is not read to its end
    slow.on('error', () => undefined);
    const length = { 'content-length': String(bytes.length) };
    return this.outbound.post({ url, body: slow, headers: { ...common, ...length }, timeoutMs });
  }

  /** If the genuine request is refused, sends it with one mistake after the other until the receiver accepts one. */
  private async diagnosed(
    { name }: ConformanceCase,
    [answer]: OutboundResult[],
    result: CaseResult,
    signer: CaseSigner,
    receiver: CaseReceiver,
  ): Promise<CaseResult> {
    const isRefused = answer!.statusCode !== null && answer!.statusCode >= 400 && answer!.statusCode < 500;
    if (name !== 'genuine' || !isRefused) return result;
    for (const { misreading, advice } of DIAGNOSES) {
      const answered = await this.send(signer.misread(misreading), receiver);
      if (isAcknowledged(answered)) return { ...result, advice };
    }
    return result;
  }
}

async function* inPieces(bytes: Buffer, overMs: number): AsyncGenerator<Buffer> {
  const size = Math.ceil(bytes.length / PIECES);
  for (let start = 0; start < bytes.length; start += size) {
    if (start > 0) await pause(overMs / PIECES);
    yield bytes.subarray(start, start + size);
  }
}
