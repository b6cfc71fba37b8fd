import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { breakConnection, type ConnectionFault, type FaultTiming, ScriptedServer } from './scripted-provider.js';

export interface FakeCall {
  method: string;
  /** Without the query. */
  path: string;
  query: URLSearchParams;
  body: string;
  headers: IncomingHttpHeaders;
}

export interface FakeAnswer {
  status: number;
  /** Sent as JSON. */
  body: object;
}

/** The connection breaks, the answer is late, or it is another one. */
export type FakeFault = FaultTiming & { what: ConnectionFault | 'delay' | FakeAnswer };

/** Answers of a provider that has its own. */
export interface KeyAnswers {
  /** The first call under the key is still under way. */
  inUse: FakeAnswer;
  /** The key was used with another call. `null`: the body is not compared, and the repeat gets the first answer. */
  reused: FakeAnswer | null;
  /** The header that has the key, in lower case; absent: `idempotency-key`. */
  header?: string;
}

const KEY_ANSWERS: KeyAnswers = {
  inUse: { status: 409, body: { code: 'key_in_use' } },
  reused: { status: 422, body: { code: 'key_reused' } },
};

interface KeptAnswer {
  fingerprint: string;
  /** `undefined` while the first call is under way. */
  answer: FakeAnswer | undefined;
}

/**
 * A provider's API on loopback, without accounts. A POST with a key takes effect once; its repeats get
 * the first answer, unless that was a 5xx.
 */
export class FakeServer extends ScriptedServer<FakeCall, FakeFault> {
  private readonly kept = new Map<string, KeptAnswer>();

  constructor(
    private readonly handle: (call: FakeCall) => FakeAnswer,
    private readonly keyAnswers = KEY_ANSWERS,
  ) {
    super();
  }

  protected override async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', headers } = request;
    const { pathname: path, searchParams: query } = new URL(request.url ?? '/', this.url);
    const call = { method, path, query, body: await text(request), headers };
    this.calls.push(call);
    const fault = this.takeFault(`${method} ${path}`);
    const after = fault?.when === 'after' ? fault : undefined;
    if (fault?.when === 'before') await delay(fault.delayMs);
    const answer =
      fault?.when === 'before' && fault.what !== 'delay'
        ? fault.what
        : await this.once(call, () => delay(after?.delayMs));
    const sent = after && after.what !== 'delay' ? after.what : answer;
    if (typeof sent === 'string') return breakConnection(response, sent);
    response.writeHead(sent.status, { 'content-type': 'application/json' }).end(JSON.stringify(sent.body));
  }

  private async once(call: FakeCall, during: () => Promise<unknown>): Promise<FakeAnswer> {
    const { inUse, reused, header = 'idempotency-key' } = this.keyAnswers;
    const key = call.headers[header];
    if (call.method !== 'POST' || typeof key !== 'string') return this.handle(call);
    const fingerprint = [call.path, call.body].join('\n');
    const kept = this.kept.get(key);
    if (kept) return kept.fingerprint === fingerprint || reused === null ? (kept.answer ?? inUse) : reused;
    const entry: KeptAnswer = { fingerprint, answer: undefined };
    this.kept.set(key, entry);
    const answer = this.handle(call);
    await during();
    if (answer.status < 500) entry.answer = structuredClone(answer);
    else this.kept.delete(key);
    return answer;
  }
}
