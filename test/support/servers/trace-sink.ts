import { type ReceivedRequest, type Receiver, type Reply, startReceiver } from './receiver.js';

/** A span in OTLP's JSON, with attributes as a plain object. */
export interface SunkSpan {
  name: string;
  traceId: string;
  spanId: string;
  /** Absent: the root of its trace. */
  parentSpanId: string | undefined;
  /** 1 internal, 2 server, 3 client. */
  kind: number;
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
  hasFailed: boolean;
  /** The process that sent it. */
  resource: Record<string, unknown>;
}

export interface TraceSink {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  url: string;
  /** All spans so far, in order of arrival. */
  spans(): SunkSpan[];
  /** The spans with this name and this attribute. */
  named(name: string, attribute?: [key: string, value: unknown]): SunkSpan[];
  /** All received bodies, unchanged. */
  text(): string;
  requests: Receiver['requests'];
  respondWith(reply: Reply | number): void;
  stop(): Promise<void>;
}

interface KeyValue {
  key: string;
  value: { stringValue?: string; intValue?: number | string; doubleValue?: number; boolValue?: boolean };
}
interface Export {
  resourceSpans: {
    resource: { attributes: KeyValue[] };
    scopeSpans: { spans: (Omit<SunkSpan, 'attributes'> & { attributes?: KeyValue[]; status?: { code?: number } })[] }[];
  }[];
}

/** A collector of traces on the loopback interface, for OTLP over HTTP in JSON. */
export async function startTraceSink(): Promise<TraceSink> {
  const receiver = await startReceiver({ headers: { 'content-type': 'application/json' }, body: '{}' });
  const read = new WeakMap<ReceivedRequest, SunkSpan[]>();
  const spansIn = (request: ReceivedRequest): SunkSpan[] => {
    const known = read.get(request) ?? spansOf(request.json<Export>());
    read.set(request, known);
    return known;
  };
  const spans = () => receiver.requests.filter(({ url }) => url === '/v1/traces').flatMap(spansIn);
  return {
    url: receiver.url,
    requests: receiver.requests,
    spans,
    named: (name, attribute) =>
      spans().filter((span) => span.name === name && (!attribute || span.attributes[attribute[0]] === attribute[1])),
    text: () => receiver.requests.map(({ body, headers }) => `${JSON.stringify(headers)}${body.toString()}`).join('\n'),
    respondWith: (reply) => receiver.respondWith(reply),
    stop: () => receiver.stop(),
  };
}

const spansOf = ({ resourceSpans }: Export): SunkSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ attributes = [], links, status, ...span }) => ({
        ...span,
        attributes: plain(attributes),
        links: links ?? [],
        hasFailed: status?.code === 2,
        resource: plain(resource.attributes),
      })),
    ),
  );

const plain = (attributes: KeyValue[]): Record<string, unknown> =>
  Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, doubleValue, boolValue } }) => [
      key,
      stringValue ?? (intValue === undefined ? (doubleValue ?? boolValue) : Number(intValue)),
    ]),
  );
