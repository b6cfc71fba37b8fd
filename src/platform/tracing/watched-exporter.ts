import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { Logger } from 'pino';

/**
 * Tells once that the sink takes no spans, and once that it takes them again: they are lost meanwhile, and nothing else is.
 * Why not OpenTelemetry's diagnostic logger: it writes a line for every failed export.
 */
export class WatchedExporter implements SpanExporter {
  private lost = 0;

  constructor(
    private readonly sink: SpanExporter,
    /** Named in the log. */
    private readonly origin: string,
    private readonly logger: Pick<Logger, 'info' | 'warn'>,
  ) {}

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.sink.export(spans, (result) => {
      this.tell(result, spans.length);
      done(result);
    });
  }

  shutdown(): Promise<void> {
    return this.sink.shutdown();
  }

  private tell({ code, error }: ExportResult, count: number): void {
    if (code === ExportResultCode.FAILED) {
      if (this.lost === 0) this.logger.warn({ sink: this.origin, err: error }, 'traces are not taken, spans are lost');
      this.lost += count;
    } else if (this.lost > 0) {
      this.logger.info({ sink: this.origin, lost: this.lost }, 'traces are taken again');
      this.lost = 0;
    }
  }
}
