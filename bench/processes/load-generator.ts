// Sends HTTP requests, either at a fixed rate (open loop: a late answer does not delay the next request, and latency
// counts from the intended time of a request), or as fast as answers arrive.
import { Pool } from 'undici';
import { serve } from '../support/remote.js';
import { percentile } from '../support/statistics.js';

export interface Target {
  /** Scheme, host and port. */
  origin: string;
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  headers: Record<string, string>;
  /** Sent one after the other, repeatedly; empty: requests without a body. */
  bodies: string[];
  connections: number;
}

export interface LoadFigures {
  /** Answered with 2xx. */
  succeeded: number;
  /** All other outcomes, by status or kind of error. */
  failures: Record<string, number>;
  /** Requests answered per second. */
  rate: number;
  /** Ms from the intended time of a request to the end of its answer. */
  p50: number;
  p99: number;
}

/** One run of load and its results. */
class Run {
  readonly latencies: number[] = [];
  private readonly failures: Record<string, number> = {};
  private sent = 0;
  private lastAnswerAt = 0;
  private readonly startedAt = performance.now();

  constructor(
    private readonly target: Target,
    private readonly pool = connect(target),
  ) {}

  /** Resolves when the answer has been read or the request has failed, to whether it succeeded. */
  request(plannedAt: number): Promise<boolean> {
    const { method, path, headers, bodies } = this.target;
    const body = bodies.length === 0 ? null : bodies[this.sent++ % bodies.length]!;
    return new Promise((resolve) => {
      let status = 0;
      const end = (outcome: string | number): void => {
        resolve(this.note(outcome, plannedAt));
      };
      this.pool.dispatch(
        { method, path, headers, body },
        {
          onRequestStart: () => undefined,
          onResponseStart: (_controller, code) => void (status = code),
          onResponseEnd: () => end(status),
          onResponseError: (_controller, error) => end(error.name),
        },
      );
    });
  }

  /** Closes the connections. */
  async end(): Promise<LoadFigures> {
    await this.pool.close();
    return this.figures();
  }

  figures(): LoadFigures {
    return {
      succeeded: this.latencies.length,
      failures: this.failures,
      rate: this.latencies.length / ((this.lastAnswerAt - this.startedAt) / 1_000),
      p50: percentile(this.latencies, 0.5),
      p99: percentile(this.latencies, 0.99),
    };
  }

  private note(outcome: string | number, plannedAt: number): boolean {
    this.lastAnswerAt = performance.now();
    const succeeded = typeof outcome === 'number' && outcome >= 200 && outcome < 300;
    if (succeeded) this.latencies.push(this.lastAnswerAt - plannedAt);
    else this.failures[outcome] = (this.failures[outcome] ?? 0) + 1;
    return succeeded;
  }
}

const connect = ({ origin, connections }: Target): Pool =>
  new Pool(origin, { connections, headersTimeout: 30_000, bodyTimeout: 30_000 });

/** Sends `rate` requests per second for `durationMs`. */
async function open(target: Target, rate: number, durationMs: number): Promise<LoadFigures & { latencies: number[] }> {
  const run = new Run(target);
  const total = Math.round((rate * durationMs) / 1_000);
  const startedAt = performance.now();
  const plannedAt = (index: number): number => startedAt + (index * 1_000) / rate;
  const pending: Promise<boolean>[] = [];
  while (pending.length < total) {
    while (pending.length < total && plannedAt(pending.length) <= performance.now()) {
      pending.push(run.request(plannedAt(pending.length)));
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(pending);
  return { ...(await run.end()), latencies: run.latencies };
}

/** Each connection sends its next request after the previous answer; after a failure `pauseMs` later. */
async function closed(target: Target, durationMs: number, pauseMs = 0): Promise<LoadFigures> {
  const run = new Run(target);
  await keepBusy(run, target, durationMs, pauseMs);
  return run.end();
}

/** Like `closed`, on connections that stay open for the next call. */
async function closedKeptAlive(target: Target, durationMs: number): Promise<LoadFigures> {
  const pool = kept.get(target.origin) ?? connect(target);
  kept.set(target.origin, pool);
  const run = new Run(target, pool);
  await keepBusy(run, target, durationMs);
  return run.figures();
}

const kept = new Map<string, Pool>();

async function keepBusy(run: Run, { connections }: Target, durationMs: number, pauseMs = 0): Promise<void> {
  const endAt = performance.now() + durationMs;
  const sendAll = async (): Promise<void> => {
    while (performance.now() < endAt) {
      const succeeded = await run.request(performance.now());
      if (!succeeded && pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
  await Promise.all(Array.from({ length: connections }, sendAll));
}

const methods = { open, closed, closedKeptAlive };
export type LoadGeneratorMethods = typeof methods;

serve(methods);
