import type { Logger } from 'pino';
import type { TracingSettings } from '../config/config.js';
import { type Tracing, traceWith } from './tracing.js';

/**
 * Loads OpenTelemetry and switches tracing on for this process. Nothing is sent yet, so an unavailable collector does
 * not prevent the start.
 */
export async function startTracing(settings: TracingSettings, logger: Logger): Promise<Tracing> {
  const { OpenTelemetryTracing } = await import('./open-telemetry-tracing.js');
  const tracing = new OpenTelemetryTracing(settings, logger);
  traceWith(tracing);
  return tracing;
}
