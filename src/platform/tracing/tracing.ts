// The seam between this service and OpenTelemetry. `tracing` does nothing unless it is switched on, and then no package of
// OpenTelemetry is loaded. One for the process and not injected: a process has one exporter, and code outside of Nest logs
// and traces, too.

/** What is told of a span: ids, numbers and words of ours; never a body, a secret or what a person entered. */
export type SpanAttributes = Record<string, string | number | boolean | null | undefined>;

export interface SpanSettings {
  /** A request that comes in, one that goes out, or work between them. */
  kind?: 'server' | 'client';
  attributes?: SpanAttributes;
  /** Spans of other traces that it belongs with, as they were stored. */
  links?: readonly (string | null | undefined)[];
  /** Begins a trace of its own. */
  isRoot?: boolean;
}

/** A span under way. */
export interface RunningSpan {
  /** For the log lines of what it spans; `undefined`: tracing is off. */
  readonly ids: TraceIds | undefined;
  set(attributes: SpanAttributes): void;
  /** It went wrong: `reason` is one word, a code or a class of errors. */
  fail(reason: string): void;
}

export interface TraceIds {
  trace_id: string;
  span_id: string;
}

export interface ServerRequest {
  method: string;
  /** The pattern and not the path; absent: no route takes it. */
  route: string | undefined;
  requestId: string;
  /** The header of that name, from whoever called. */
  traceparent: unknown;
}

export interface RequestSpan {
  /** Runs `work` with this span as the active one. */
  within(work: () => void): void;
  /** `status`: `undefined` where the caller went away before the answer. */
  end(status: number | undefined, attributes: SpanAttributes): void;
}

export interface Tracing {
  /** Whether spans are made. Ask only where the work around a span costs something by itself. */
  readonly isOn: boolean;
  /** Runs `work` in a span below the active one, which ends with it; without an active one, in a trace of its own. */
  run<T>(name: string, settings: SpanSettings, work: (span: RunningSpan) => Promise<T>): Promise<T>;
  /** The span of a request, below the caller's where that is told; ended by `end`. */
  startRequest(request: ServerRequest): RequestSpan;
  /** Adds to the active span, if any. `belongsWith`: the stored span of another trace. */
  annotate(attributes: SpanAttributes, belongsWith?: string | null): void;
  /** The active span as a header `traceparent` (W3C Trace Context), 55 characters; `undefined`: nothing is recorded. */
  traceparent(): string | undefined;
  /** Of the active span, for a log line. */
  ids(): TraceIds | undefined;
  /** Sends what is finished, for 2 s at most. Never rejects. */
  stop(): Promise<void>;
}

const NO_SPAN: RunningSpan = { ids: undefined, set: () => undefined, fail: () => undefined };

const NO_TRACING: Tracing = {
  isOn: false,
  run: (_name, _settings, work) => work(NO_SPAN),
  startRequest: () => ({ within: (work) => work(), end: () => undefined }),
  annotate: () => undefined,
  traceparent: () => undefined,
  ids: () => undefined,
  stop: () => Promise.resolve(),
};

export let tracing = NO_TRACING;

/** For `startTracing` alone. */
export function traceWith(implementation: Tracing): void {
  tracing = implementation;
}
