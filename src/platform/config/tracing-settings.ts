import type { EnvReader } from './env-reader.js';

/** OpenTelemetry's settings. `undefined`: tracing is off; the rest is checked anyway. */
export function tracingSettings(read: EnvReader) {
  const url = read.get('OTEL_EXPORTER_OTLP_ENDPOINT');
  const settings = {
    headers: read.get('OTEL_EXPORTER_OTLP_HEADERS') ?? {},
    sampler: read.get('OTEL_TRACES_SAMPLER'),
    samplerRatio: read.get('OTEL_TRACES_SAMPLER_ARG'),
    serviceName: read.get('OTEL_SERVICE_NAME'),
    resourceAttributes: read.get('OTEL_RESOURCE_ATTRIBUTES') ?? {},
  };
  return url === undefined ? undefined : { url, ...settings };
}

export type TracingSettings = NonNullable<ReturnType<typeof tracingSettings>>;
