import { ConfigError, type EnvReader } from './env-reader.js';

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** OpenTelemetry, by its own names of settings. */
export interface TracingSettings {
  /** Where spans are posted, as JSON (OTLP/HTTP). */
  url: string;
  headers: Record<string, string>;
  sampler: (typeof SAMPLERS)[number];
  /** Share of traces, of the samplers that take one. */
  samplerRatio: number;
  serviceName: string;
  resourceAttributes: Record<string, string>;
}

const PAIRS = 'pairs such as key=value,key=value, values percent-encoded';

/** `undefined`: tracing is off. The rest is checked all the same: a mistake is told before it is switched on. */
export function tracingSettings(read: EnvReader): TracingSettings | undefined {
  const endpoint = read.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']);
  const settings = {
    headers: pairs(read, 'OTEL_EXPORTER_OTLP_HEADERS'),
    sampler: read.oneOf('OTEL_TRACES_SAMPLER', SAMPLERS, 'parentbased_always_on'),
    samplerRatio: ratio(read, 'OTEL_TRACES_SAMPLER_ARG'),
    serviceName: read.text('OTEL_SERVICE_NAME', 'payment-orchestrator'),
    resourceAttributes: pairs(read, 'OTEL_RESOURCE_ATTRIBUTES'),
  };
  return endpoint === undefined ? undefined : { url: tracesUrl(endpoint), ...settings };
}

/** Source: opentelemetry.io, "OpenTelemetry Protocol Exporter": the signal's path goes behind the endpoint's. */
function tracesUrl(endpoint: string): string {
  const { origin, pathname, username, password, search, hash } = new URL(endpoint);
  if (`${username}${password}${search}${hash}` !== '') {
    const takes = 'scheme, host, port and path alone; what authorises goes into OTEL_EXPORTER_OTLP_HEADERS';
    throw new ConfigError('OTEL_EXPORTER_OTLP_ENDPOINT', 'a URL with more than a path', takes);
  }
  return `${origin}${pathname.replace(/\/+$/, '')}/v1/traces`;
}

function ratio(read: EnvReader, name: string): number {
  const value = read.text(name, '1');
  const number = /^\d*\.?\d+$/.test(value) ? Number(value) : NaN;
  if (!(number <= 1)) throw new ConfigError(name, `'${value}'`, 'a number from 0 to 1');
  return number;
}

/** Not repeated in the error: headers hold keys. */
function pairs(read: EnvReader, name: string): Record<string, string> {
  const parts = read
    .text(name, '')
    .split(',')
    .filter((part) => part.trim() !== '');
  return Object.fromEntries(
    parts.map((part) => {
      const [, key, value] = /^\s*([\w.-]{1,100})\s*=([^]*)$/.exec(part) ?? [];
      const decoded = value === undefined ? undefined : decodedOf(value.trim());
      if (key === undefined || decoded === undefined) throw new ConfigError(name, 'something else', PAIRS);
      return [key, decoded];
    }),
  );
}

/** `undefined`: it is no percent-encoding, or hides a line break. */
function decodedOf(value: string): string | undefined {
  try {
    const decoded = decodeURIComponent(value);
    return /\p{Cc}/u.test(decoded) ? undefined : decoded;
  } catch {
    return undefined;
  }
}
