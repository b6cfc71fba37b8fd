// The destination of log lines. A write has the same cost for one line and for many: it wakes a thread of Node's pool,
// and the event loop when it is done. So lines are collected for a short time, except warnings and errors. Invariants:
// lines keep their order; none is lost when the process exits; the event loop never waits for the reader.
//
// Why not sonic-boom's periodicFlush: it does not know levels, so warnings would wait too (`output-file.ts` has the
// rest).
import { type DestinationStream, pino } from 'pino';
import { OutputFile } from './output-file.js';

/** Time for which a line may wait; such lines are lost when the process is killed. */
const COLLECT_MS = 50;
const MAX_COLLECTED = 65_536;
/** Pino's number of `warn`. */
const URGENT = 40;

type File = Pick<OutputFile, 'write' | 'flushSync'>;

export class StandardOutput implements DestinationStream {
  /** Makes pino set the level of each line before it is written. */
  readonly [pino.symbols.needsMetadataGsym] = true;
  lastLevel = 0;
  private lines = '';
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly file: File = OutputFile.forStandardOutput()) {
    process.once('exit', () => this.flushSync());
  }

  write(text: string): void {
    this.lines += text;
    if (this.lastLevel >= URGENT || this.lines.length >= MAX_COLLECTED) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), COLLECT_MS);
  }

  /** For the time when the event loop has ended; pino calls it after a fatal line. */
  flushSync(): void {
    this.flush();
    this.file.flushSync();
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.lines === '') return;
    this.file.write(this.lines);
    this.lines = '';
  }
}
