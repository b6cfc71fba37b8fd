// Where log lines go. Every write costs the same, whether of one line or of many: it wakes a thread of Node's pool, and the
// event loop when it is done. So lines wait for company for a moment, but not what somebody must see. Invariants: lines
// keep their order; none is left behind when the process exits; the event loop never waits for who reads them.
// Why not sonic-boom's periodicFlush: it knows no level, so warnings would wait too (`output-file.ts` has the rest).
import { type DestinationStream, pino } from 'pino';
import { OutputFile } from './output-file.js';

/** How long a line may wait: what is lost when the process is killed. */
const GATHER_MS = 50;
const MAX_GATHERED = 65_536;
/** Pino's number of `warn`. */
const URGENT = 40;

type File = Pick<OutputFile, 'write' | 'flushSync'>;

export class StandardOutput implements DestinationStream {
  /** Has pino tell the level of each line before it is written. */
  readonly [pino.symbols.needsMetadataGsym] = true;
  lastLevel = 0;
  private lines = '';
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly file: File = OutputFile.forStandardOutput()) {
    process.once('exit', () => this.flushSync());
  }

  write(text: string): void {
    this.lines += text;
    if (this.lastLevel >= URGENT || this.lines.length >= MAX_GATHERED) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), GATHER_MS);
  }

  /** For when there is no event loop any more; pino calls it behind a fatal line. */
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
