import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { Logger } from 'pino';

/**
 * Logs once that the collector does not accept spans, and once that it accepts them again. Spans in between are lost;
 * nothing else is affected.
 *
 * Why not OpenTelemetry's diagnostic logger: it writes a line for every failed export.
 */
export class WatchedExporter implements SpanExporter {
  private lost = 0;

  constructor(
    private readonly sink: SpanExporter,
    /** For the log. */
    private readonly origin: string,
    private readonly logger: Pick<Logger, 'info' | 'warn'>,
  ) {}

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.sink.export(spans, (result) => {
      this.report(result, spans.length);
      done(result);
    });
  }

  shutdown(): Promise<void> {
    return this.sink.shutdown();
  }

  private report({ code, error }: ExportResult, count: number): void {
    if (code === ExportResultCode.FAILED) {
      if (this.lost === 0)
        this.logger.warn({ sink: this.origin, err: error }, 'the trace collector does not accept spans: they are lost');
      this.lost += count;
    } else if (this.lost > 0) {
      this.logger.info({ sink: this.origin, lost: this.lost }, 'the trace collector accepts spans again');
      this.lost = 0;
    }
  }
}
