// Creates spans with OpenTelemetry's SDK. Only `startTracing` loads it, when tracing is on.
// - The active span follows asynchronous calls. Work for several callers (`Batcher`) runs in the context of the caller
//   that started it. So that work opens no spans, stores no contexts and puts its own ids into log lines.
// - A context is stored and sent only if its span is recorded. So later spans of that trace are recorded exactly if the
//   first one was.
//
// Why not the official instrumentations: they know neither payments nor lanes, and assign a grouped statement to one
// caller.
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { TracingSettings } from '../config/config.js';
import { samplerFor } from './sampler.js';
import type {
  RequestSpan,
  RunningSpan,
  ServerRequest,
  SpanAttributes,
  SpanSettings,
  TraceIds,
  Tracing,
} from './tracing.js';
import { WatchedExporter } from './watched-exporter.js';

/** Spans that wait to be sent, at most; further ones are dropped. */
const MAX_QUEUED = 2_048;
const SEND_EVERY_MS = 1_000;
/** Time-out of one export, with repeats. */
const EXPORT_TIMEOUT_MS = 5_000;
const STOP_TIMEOUT_MS = 2_000;
/** Attributes are short words and numbers; a longer value is a mistake. */
const LIMITS = { attributeValueLengthLimit: 256, attributeCountLimit: 32, linkCountLimit: 128 };
/** Version 00 has 55 characters; later versions may have more, within a limit. */
const MAX_TRACEPARENT_LENGTH = 128;

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT };

export class OpenTelemetryTracing implements Tracing {
  readonly isOn = true;
  private readonly active = new AsyncLocalStorage<ActiveSpan>();
  private readonly provider: TracerProvider;
  private readonly tracer;

  constructor(settings: TracingSettings, logger: Logger) {
    const { url, headers, serviceName, resourceAttributes } = settings;
    const sink = new OTLPTraceExporter({ url, headers, timeoutMillis: EXPORT_TIMEOUT_MS });
    const exporter = new WatchedExporter(sink, new URL(url).origin, logger);
    this.provider = new TracerProvider({
      resource: defaultResource().merge(resourceFromAttributes({ ...resourceAttributes, 'service.name': serviceName })),
      sampler: samplerFor(settings),
      spanLimits: LIMITS,
      spanProcessors: [
        new BatchSpanProcessor({ exporter, maxQueueSize: MAX_QUEUED, scheduledDelayMillis: SEND_EVERY_MS }),
      ],
    });
    this.tracer = this.provider.getTracer('payment-orchestrator');
  }

  run<T>(name: string, settings: SpanSettings, work: (span: RunningSpan) => Promise<T>): Promise<T> {
    const span = this.start(name, settings, settings.isRoot ? undefined : this.active.getStore()?.context);
    return this.active.run(span, async () => {
      try {
        return await work(span);
      } catch (error) {
        span.fail(typeOf(error));
        throw error;
      } finally {
        span.end();
      }
    });
  }

  startRequest({ method, route, requestId, traceparent }: ServerRequest): RequestSpan {
    const attributes = { 'http.request.method': method, 'http.route': route, 'request.id': requestId };
    const name = route === undefined ? method : `${method} ${route}`;
    const span = this.start(name, { kind: 'server', attributes }, remoteContext(traceparent));
    return {
      within: (work) => this.active.run(span, work),
      end: (status, more) => {
        span.set({ ...more, 'http.response.status_code': status });
        if (status === undefined) span.fail('client_closed_request');
        else if (status >= 500) span.fail(String(status));
        span.end();
      },
    };
  }

  annotate(attributes: SpanAttributes, belongsWith?: string | null): void {
    const span = this.active.getStore();
    span?.set(attributes);
    span?.link(belongsWith);
  }

  traceparent(): string | undefined {
    const context = this.active.getStore()?.context;
    if (!context || !isSampled(context)) return undefined;
    return `00-${context.traceId}-${context.spanId}-01`;
  }

  ids(): TraceIds | undefined {
    return this.active.getStore()?.ids;
  }

  async stop(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const expired = new Promise<void>((resolve) => (timer = setTimeout(resolve, STOP_TIMEOUT_MS)));
    await Promise.race([this.provider.shutdown().catch(() => undefined), expired]);
    clearTimeout(timer);
  }

  private start(name: string, { kind, attributes = {}, links = [] }: SpanSettings, parent?: SpanContext): ActiveSpan {
    const others = links.map(remoteContext).filter((context) => isOfAnotherTrace(context, parent));
    const options = {
      kind: kind ? KINDS[kind] : SpanKind.INTERNAL,
      attributes: known(attributes),
      links: others.map((context) => ({ context })),
    };
    const below = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
    return new ActiveSpan(this.tracer.startSpan(name, options, below), others);
  }
}

class ActiveSpan implements RunningSpan {
  readonly context: SpanContext;
  private readonly linked: Set<string>;

  constructor(
    private readonly span: Span,
    linked: SpanContext[],
  ) {
    this.context = span.spanContext();
    this.linked = new Set(linked.map(({ spanId }) => spanId));
  }

  get ids(): TraceIds {
    return { trace_id: this.context.traceId, span_id: this.context.spanId };
  }

  set(attributes: SpanAttributes): void {
    this.span.setAttributes(known(attributes));
  }

  /** Links to each span once, and not to spans of its own trace. */
  link(traceparent: string | null | undefined): void {
    const context = remoteContext(traceparent);
    if (!isOfAnotherTrace(context, this.context) || this.linked.has(context.spanId)) return;
    this.linked.add(context.spanId);
    this.span.addLink({ context });
  }

  fail(reason: string): void {
    this.span.setAttribute('error.type', reason);
    this.span.setStatus({ code: SpanStatusCode.ERROR });
  }

  end(): void {
    this.span.end();
  }
}

/** `undefined`: there is none, or it is not valid W3C Trace Context. */
function remoteContext(traceparent: unknown): SpanContext | undefined {
  if (typeof traceparent !== 'string' || traceparent.length > MAX_TRACEPARENT_LENGTH) return undefined;
  const context = parseTraceParent(traceparent);
  return context ? { ...context, isRemote: true } : undefined;
}

const isSampled = ({ traceFlags }: SpanContext): boolean => (traceFlags & TraceFlags.SAMPLED) !== 0;

const isOfAnotherTrace = (context: SpanContext | undefined, own: SpanContext | undefined): context is SpanContext =>
  context !== undefined && context.traceId !== own?.traceId;

const known = (attributes: SpanAttributes): Record<string, string | number | boolean> =>
  Object.fromEntries(
    Object.entries(attributes).filter(
      (entry): entry is [string, string | number | boolean] => (entry[1] ?? undefined) !== undefined,
    ),
  );

/** Code or class of an error; its message may contain input of a person. */
function typeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  const word = [code, name].find((candidate) => typeof candidate === 'string' && /^\w{1,60}$/.test(candidate));
  return (word as string | undefined) ?? 'unknown';
}
