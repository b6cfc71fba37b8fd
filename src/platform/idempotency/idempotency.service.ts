import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { InjectConfig } from '../config/config.module.js';
import type { Config } from '../config/config.js';
import { Database, type Statement, type Transaction } from '../database/database.js';
import { Batcher } from '../../shared/batcher.js';
import { Problem } from '../../shared/problem.js';
import { GROUPED_WRITES } from '../database/writes.js';
import { DAY_MS } from '../../shared/clock.js';
import {
  CLAIM_KEYS,
  type ClaimedKeyRow,
  COMPLETE_REDACTED_KEY,
  FIND_KEY,
  type IdempotencyRow,
  LOCK_ANSWERS,
  PRUNE_KEYS,
  RELEASE_KEY,
  RENEW_KEY,
  RENEW_KEYS,
  TAKE_KEY_OVER,
} from './idempotency.queries.js';
import { type KeyOwner, requestHash } from './row-key.js';

/** How long a lock outlives its process: several heartbeats, so that a busy process keeps it. */
const LOCK_MS = 5_000;
const HEARTBEAT_MS = 1_000;
/** The stored answer of work whose repeats read its result. */
const DONE = '{}';

/**
 * A key that this request holds. `clientId`: the client that sent it first. `lockVersion` is a fencing token: a request
 * that has lost the key cannot change it.
 */
export interface HeldKey {
  clientId: string;
  key: string;
  lockVersion: number;
}

interface KeyedRequest extends KeyOwner {
  key: string;
  hash: Buffer;
}

type KeyedAnswer = HeldKey & { responseBody: string };

/** `held`: continue, with the subject of an earlier, interrupted request, if any. `answered`: replay the answer. */
export type Claim =
  { state: 'held'; key: HeldKey; subjectId: number | null } | { state: 'answered'; responseBody: string };

/** How personal data leaves the stored answers. The feature whose answers are stored provides it. */
export abstract class AnswerRedaction {
  /** `completeKeys` for many keys and for one, of which each is stored that needs no redaction. */
  abstract readonly complete: { many: Statement; one: Statement };
  abstract redacted(responseBody: string): string;
}

/**
 * Idempotency keys with their answers, kept per merchant for `RETENTION_IDEMPOTENCY_KEYS_DAYS`: a repeat with new
 * credentials is still a repeat. Owner of `idempotency_keys`. Invariants: one request at a time holds a key; the id of what
 * a request makes is stored with the key in the transaction that inserts it, so a repeat after a crash finds both or neither;
 * a stored answer is returned to every repeat. A process renews the locks of requests that take longer than a heartbeat.
 * The lock of a dead process expires within `LOCK_MS`. A request whose row can answer repeats uses a `RowKey`.
 */
@Injectable()
export class IdempotencyService implements OnModuleDestroy {
  private readonly claims = new Batcher<KeyedRequest, ClaimedKeyRow | undefined>(
    (keys) => this.claimAll(keys),
    GROUPED_WRITES,
  );
  private readonly completions = new Batcher<KeyedAnswer, boolean>(
    (answers) => this.completeAll(this.redaction.complete.many, answers),
    GROUPED_WRITES,
  );
  private readonly keptMs: number;
  /** Keys of requests under way, by the time of their claim. */
  private readonly held = new Map<HeldKey, number>();
  private readonly heartbeat: NodeJS.Timeout;

  constructor(
    private readonly database: Database,
    private readonly redaction: AnswerRedaction,
    @InjectConfig() config: Pick<Config, 'retentionDays'>,
  ) {
    this.keptMs = config.retentionDays.idempotencyKeys * DAY_MS;
    this.heartbeat = setInterval(() => void this.renewHeld(), HEARTBEAT_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.heartbeat);
  }

  /**
   * Throws `idempotency_key_reused` if the key came with another request, and `idempotency_key_in_flight` while another
   * request holds it.
   */
  async claim({ merchantId, clientId }: KeyOwner, key: string, request: unknown): Promise<Claim> {
    const keyed = { merchantId, clientId, key, hash: requestHash(request) };
    const taken = await this.claims.add(keyed);
    return taken ? heldBy(taken) : this.claimKnown(keyed);
  }

  /**
   * Runs `work` once for a key, and `repeat` for a repeat. For work that is safe to run again after a crash, and whose
   * result a repeat can read; without a key `work` always runs. A failure releases the key. Throws like `claim`.
   */
  async once<T>(
    owner: KeyOwner,
    key: string | undefined,
    request: unknown,
    { work, repeat }: { work: () => Promise<T>; repeat: () => Promise<T> },
  ): Promise<{ result: T; replayed: boolean }> {
    if (key === undefined) return { result: await work(), replayed: false };
    const claim = await this.claim(owner, key, request);
    if (claim.state === 'answered') return { result: await repeat(), replayed: true };
    try {
      const result = await this.holding(claim.key, work);
      await this.complete(claim.key, DONE);
      return { result, replayed: false };
    } catch (error) {
      await this.release(claim.key).catch(() => undefined); // its lock expires by itself
      throw error;
    }
  }

  /** Holds the key while `work` runs; after a failure its lock soon expires. */
  async holding<T>(key: HeldKey, work: () => Promise<T>): Promise<T> {
    this.held.set(key, performance.now());
    try {
      return await work();
    } finally {
      this.held.delete(key);
    }
  }

  /**
   * Holds the key for one more call of a provider. Throws if the key was lost meanwhile: its new holder continues, and
   * this transaction must not.
   */
  async renew(transaction: Transaction, { clientId, key, lockVersion }: HeldKey): Promise<void> {
    const renewed = await transaction.query(RENEW_KEY, [clientId, key, lockVersion, LOCK_MS]);
    if (renewed.length === 0) throw keyInFlight();
  }

  /** Stores the answer, unless the key was lost; without personal data if that was erased meanwhile. */
  async complete(key: HeldKey, responseBody: string): Promise<void> {
    const answer = { ...key, responseBody };
    if (await this.completions.add(answer)) return;
    if ((await this.completeAll(this.redaction.complete.one, [answer]))[0]) return;
    const { clientId, key: name, lockVersion } = key;
    const redacted = this.redaction.redacted(responseBody);
    await this.database.query(COMPLETE_REDACTED_KEY, [clientId, name, lockVersion, redacted]);
  }

  /** Redacts personal data in the answers about these subjects; the keys stay, so that nothing is made twice. */
  async redactAnswers(transaction: Transaction, subjectIds: number[]): Promise<void> {
    type Answer = { client_id: string; key: string; lock_version: number; response_body: string };
    for (const answer of await transaction.query<Answer>(LOCK_ANSWERS, [subjectIds])) {
      const { client_id: clientId, key, lock_version: lockVersion, response_body: body } = answer;
      const redacted = this.redaction.redacted(body);
      if (redacted !== body) await transaction.query(COMPLETE_REDACTED_KEY, [clientId, key, lockVersion, redacted]);
    }
  }

  /** Releases the key after a request that made nothing, so that the request can be tried again. */
  async release({ clientId, key, lockVersion }: HeldKey): Promise<void> {
    await this.database.query(RELEASE_KEY, [clientId, key, lockVersion]);
  }

  /** Deletes expired keys, at most `limit`; returns how many. */
  async prune(transaction: Transaction, limit: number): Promise<number> {
    return (await transaction.query(PRUNE_KEYS, [this.keptMs, limit])).length;
  }

  /** Never rejects. A key that could not be renewed may be taken over: `lockVersion` then fences its request. */
  private async renewHeld(): Promise<void> {
    const old = performance.now() - HEARTBEAT_MS;
    const keys = [...this.held].filter(([, heldSince]) => heldSince <= old).map(([key]) => key);
    if (keys.length === 0) return;
    const columns = [keys.map(({ clientId }) => clientId), keys.map(({ key }) => key)];
    const versions = keys.map(({ lockVersion }) => lockVersion);
    await this.database.query(RENEW_KEYS, [...columns, versions, LOCK_MS]).catch(() => undefined);
  }

  /** Claims an existing key by a statement of its own, because it may have to wait for requests with the same key. */
  private async claimKnown({ merchantId, clientId, key, hash }: KeyedRequest): Promise<Claim> {
    const [found] = await this.database.query<IdempotencyRow>(FIND_KEY, [clientId, key, this.keptMs, merchantId]);
    if (found?.is_free) {
      const values = [found.client_id, key, this.keptMs, hash, LOCK_MS];
      const [taken] = await this.database.query<ClaimedKeyRow>(TAKE_KEY_OVER, values);
      if (taken) return heldBy(taken);
    }
    if (found && !found.request_hash.equals(hash)) throw new Problem('idempotency_key_reused');
    if (found && !found.is_free && found.response_body !== null) {
      return { state: 'answered', responseBody: found.response_body };
    }
    throw keyInFlight();
  }

  /**
   * One statement for concurrent requests. Of two requests with the same key, one gets it, as if the other came later.
   */
  private async claimAll(requests: KeyedRequest[]): Promise<(ClaimedKeyRow | undefined)[]> {
    const distinct = [
      ...new Map(requests.toReversed().map((request) => [nameOf(request.merchantId, request.key), request])).values(),
    ];
    const rows = await this.database.query<ClaimedKeyRow>(CLAIM_KEYS, [
      distinct.map((request) => request.clientId),
      distinct.map((request) => request.key),
      distinct.map((request) => request.hash),
      LOCK_MS,
      distinct.map((request) => request.merchantId),
    ]);
    const firsts = new Map(distinct.map((request) => [nameOf(request.clientId, request.key), request]));
    const held = new Map(rows.map((row) => [firsts.get(nameOf(row.client_id, row.key)), row]));
    return requests.map((request) => held.get(request));
  }

  /** Returns for each answer whether it was stored. */
  private async completeAll(statement: Statement, answers: KeyedAnswer[]): Promise<boolean[]> {
    const rows = await this.database.query<{ client_id: string; key: string }>(statement, [
      answers.map((answer) => answer.clientId),
      answers.map((answer) => answer.key),
      answers.map((answer) => answer.lockVersion),
      answers.map((answer) => answer.responseBody),
    ]);
    const stored = new Set(rows.map((row) => nameOf(row.client_id, row.key)));
    return answers.map((answer) => stored.has(nameOf(answer.clientId, answer.key)));
  }
}

export const keyInFlight = (): Problem => new Problem('idempotency_key_in_flight', { headers: { 'retry-after': '1' } });

const heldBy = ({
  client_id: clientId,
  key,
  lock_version: lockVersion,
  subject_id: subjectId,
}: ClaimedKeyRow): Claim => ({
  state: 'held',
  key: { clientId, key, lockVersion },
  subjectId,
});

const nameOf = (owner: string | number, key: string): string => JSON.stringify([owner, key]);
