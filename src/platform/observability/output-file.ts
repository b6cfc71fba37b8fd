// What log lines are written to: a file whose disk may be full, a pipe that may have no reader any more, or one that does not
// read. Invariants: no write throws, waits or ends the process; what cannot be written is tried again, up to a bound, and
// what is over it is counted in its place; the process's end waits a second at most.
// Why not sonic-boom: on a full disk (ENOSPC) flushSync of 4.2.1 never returns, so that the process does not end, and it
// drops lines without a line in their place.
import fs from 'node:fs';

/** In characters. */
const MAX_WAITING = 4 * 2 ** 20;
const FULL_PIPE_MS = 100;
const FAILURE_MS = 1_000;
const LAST_MOMENT_MS = 1_000;
const LAST_MOMENT_POLL_MS = 10;

type FileSystem = Pick<typeof fs, 'write' | 'writeSync'>;

export class OutputFile {
  private waiting = '';
  private writing: Buffer = Buffer.alloc(0);
  private isInFlight = false;
  private retry: NodeJS.Timeout | undefined;
  private leftOut = 0;
  private failure: string | undefined;
  private isClosed = false;

  constructor(
    private readonly fd: number,
    private readonly system: FileSystem = fs,
  ) {}

  /** The process's. A pipe or socket that is full then says so, in place of holding on to who writes. */
  static forStandardOutput(): OutputFile {
    const stat = fs.fstatSync(1);
    // Node makes it non-blocking. A thread that waits in a write would hold up the end of the process.
    if (stat.isFIFO() || stat.isSocket()) void process.stdout;
    return new OutputFile(1);
  }

  /** Whole lines. */
  write(text: string): void {
    if (this.isClosed) return;
    if (this.waiting.length + text.length > MAX_WAITING) {
      this.leftOut += text.split('\n').length - 1;
      return;
    }
    if (this.leftOut > 0) this.waiting += this.gap();
    this.waiting += text;
    this.writeOn();
  }

  /** For when there is no event loop any more. Gives up what does not go out. */
  flushSync(): void {
    const deadline = performance.now() + LAST_MOMENT_MS;
    while (!this.isClosed && this.take()) {
      try {
        this.written(this.system.writeSync(this.fd, this.writing));
      } catch (error) {
        if (!isFull(error) || performance.now() > deadline) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LAST_MOMENT_POLL_MS);
      }
    }
  }

  private writeOn(): void {
    if (this.retry !== undefined || !this.take()) return;
    this.isInFlight = true;
    this.system.write(this.fd, this.writing, (error, bytes) => {
      this.isInFlight = false;
      if (error) return this.failed(error);
      this.written(bytes);
      this.writeOn();
    });
  }

  /** Whether there is something to be written that nobody writes. */
  private take(): boolean {
    if (this.isInFlight) return false;
    if (this.writing.length === 0) {
      this.writing = Buffer.from(this.waiting);
      this.waiting = '';
    }
    return this.writing.length > 0;
  }

  private written(bytes: number): void {
    this.writing = this.writing.subarray(bytes);
  }

  private failed(error: NodeJS.ErrnoException): void {
    // the reader is gone, and no other one comes
    if (error.code === 'EPIPE') return this.close();
    this.failure = error.code;
    this.retry = setTimeout(
      () => {
        this.retry = undefined;
        this.writeOn();
      },
      isFull(error) ? FULL_PIPE_MS : FAILURE_MS,
    ).unref();
  }

  private close(): void {
    this.isClosed = true;
    this.waiting = '';
    this.writing = Buffer.alloc(0);
  }

  /** The line in place of those that are left out. */
  private gap(): string {
    const fields = { level: 'warn', time: new Date().toISOString(), lines: this.leftOut, code: this.failure };
    this.leftOut = 0;
    return `${JSON.stringify({ ...fields, msg: 'log lines left out: they could not be written' })}\n`;
  }
}

/** Of a pipe or socket that is not read, or not fast enough. */
const isFull = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EAGAIN';
