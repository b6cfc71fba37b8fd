// The file for log lines. Its disk may be full; a pipe may have lost its reader, or have a slow one. Invariants:
// - A write never throws, waits or ends the process.
// - Failed lines are written again, up to a limit. Lines beyond it are counted, and one line reports their number.
// - At the end of the process it waits at most a second.
//
// Why not sonic-boom: on a full disk (ENOSPC) flushSync of 4.2.1 never returns, so the process does not end, and it
// drops lines without reporting it.
import fs from 'node:fs';

/** In characters. */
const MAX_PENDING = 4 * 2 ** 20;
const FULL_PIPE_MS = 100;
const FAILURE_MS = 1_000;
const FINAL_FLUSH_MS = 1_000;
const FINAL_FLUSH_POLL_MS = 10;

type FileSystem = Pick<typeof fs, 'write' | 'writeSync'>;

export class OutputFile {
  private pending = '';
  private writing: Buffer = Buffer.alloc(0);
  private isInFlight = false;
  private retry: NodeJS.Timeout | undefined;
  private dropped = 0;
  private failure: string | undefined;
  private isClosed = false;

  constructor(
    private readonly fd: number,
    private readonly system: FileSystem = fs,
  ) {}

  /** The process's standard output. A full pipe or socket then returns an error and does not block the writer. */
  static forStandardOutput(): OutputFile {
    // bigint: after the plain form saw a pipe, Node 20 resolves no symbolic link of a module (nodejs/node#51142)
    const stat = fs.fstatSync(1, { bigint: true });
    // Node makes it non-blocking. A thread that blocks in a write would delay the end of the process.
    if (stat.isFIFO() || stat.isSocket()) void process.stdout;
    return new OutputFile(1);
  }

  /** `text`: whole lines. */
  write(text: string): void {
    if (this.isClosed) return;
    if (this.pending.length + text.length > MAX_PENDING) {
      this.dropped += text.split('\n').length - 1;
      return;
    }
    if (this.dropped > 0) this.pending += this.gap();
    this.pending += text;
    this.writeNext();
  }

  /** For the time when the event loop has ended. Drops lines that cannot be written. */
  flushSync(): void {
    const deadline = performance.now() + FINAL_FLUSH_MS;
    while (!this.isClosed && this.take()) {
      try {
        this.written(this.system.writeSync(this.fd, this.writing));
      } catch (error) {
        if (!isFull(error) || performance.now() > deadline) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FINAL_FLUSH_POLL_MS);
      }
    }
  }

  private writeNext(): void {
    if (this.retry !== undefined || !this.take()) return;
    this.isInFlight = true;
    this.system.write(this.fd, this.writing, (error, bytes) => {
      this.isInFlight = false;
      if (error) return this.failed(error);
      this.written(bytes);
      this.writeNext();
    });
  }

  /** Prepares the next write; returns whether there is one. */
  private take(): boolean {
    if (this.isInFlight) return false;
    if (this.writing.length === 0) {
      this.writing = Buffer.from(this.pending);
      this.pending = '';
    }
    return this.writing.length > 0;
  }

  private written(bytes: number): void {
    this.writing = this.writing.subarray(bytes);
  }

  private failed(error: NodeJS.ErrnoException): void {
    // the reader is gone, and there will be no other
    if (error.code === 'EPIPE') return this.close();
    this.failure = error.code;
    this.retry = setTimeout(
      () => {
        this.retry = undefined;
        this.writeNext();
      },
      isFull(error) ? FULL_PIPE_MS : FAILURE_MS,
    ).unref();
  }

  private close(): void {
    this.isClosed = true;
    this.pending = '';
    this.writing = Buffer.alloc(0);
  }

  /** The line that reports dropped lines. */
  private gap(): string {
    const fields = { level: 'warn', time: new Date().toISOString(), lines: this.dropped, code: this.failure };
    this.dropped = 0;
    return `${JSON.stringify({ ...fields, msg: 'log lines left out: they could not be written' })}\n`;
  }
}

/** Whether a pipe or socket is full, because its reader does not read or is too slow. */
const isFull = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EAGAIN';
