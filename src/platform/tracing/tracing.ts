// The interface between this service and OpenTelemetry. `tracing` does nothing unless it is switched on, and no package
// of OpenTelemetry is loaded before. It is global and not injected, because a process has one exporter, and code
// outside of Nest also logs and traces.

/** Attributes of a span: ids, numbers and words of ours; never a body, a secret or input of a person. */
export type SpanAttributes = Record<string, string | number | boolean | null | undefined>;

export interface SpanSettings {
  /** An incoming request, an outgoing request, or internal work. */
  kind?: 'server' | 'client';
  attributes?: SpanAttributes;
  /** Related spans of other traces, in their stored form. */
  links?: readonly (string | null | undefined)[];
  /** Whether the span begins a new trace. */
  isRoot?: boolean;
}

/** A running span. */
export interface RunningSpan {
  /** For log lines inside the span; `undefined`: tracing is off. */
  readonly ids: TraceIds | undefined;
  set(attributes: SpanAttributes): void;
  /** Marks the span as failed. `reason`: one word, a code or a class of errors. */
  fail(reason: string): void;
}

export interface TraceIds {
  trace_id: string;
  span_id: string;
}

export interface ServerRequest {
  method: string;
  /** The pattern, not the path; absent: there is no matching route. */
  route: string | undefined;
  requestId: string;
  /** The header of that name, from any caller. */
  traceparent: unknown;
}

export interface RequestSpan {
  /** Runs `work` with this span as the active one. */
  within(work: () => void): void;
  /** `status`: `undefined` if the caller disconnected before the response. */
  end(status: number | undefined, attributes: SpanAttributes): void;
}

export interface Tracing {
  /** Whether spans are created. Needed only if the work around a span has a cost of its own. */
  readonly isOn: boolean;
  /**
   * Runs `work` in a new span, below the active one, or in a new trace without an active one. The span ends with
   * `work`.
   */
  run<T>(name: string, settings: SpanSettings, work: (span: RunningSpan) => Promise<T>): Promise<T>;
  /** Starts the span of a request, below the caller's span if there is one; `end` ends it. */
  startRequest(request: ServerRequest): RequestSpan;
  /** Adds attributes to the active span, if any. `belongsWith`: a stored, related span of another trace. */
  annotate(attributes: SpanAttributes, belongsWith?: string | null): void;
  /** The active span as a header `traceparent` (W3C Trace Context), 55 characters; `undefined`: nothing is recorded. */
  traceparent(): string | undefined;
  /** Ids of the active span, for a log line. */
  ids(): TraceIds | undefined;
  /** Sends the finished spans, within 2 s. Never rejects. */
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

/** Only for `startTracing`. */
export function traceWith(implementation: Tracing): void {
  tracing = implementation;
}
