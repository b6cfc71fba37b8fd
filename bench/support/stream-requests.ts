// Requests to a server of this process without a connection. The kernel's work for a connection would cost more than
// the measured code, and varies more.
import type { Server } from 'node:http';
import { Duplex } from 'node:stream';

const END_OF_HEAD = '\r\n\r\n';

/** A connection as seen by Node's HTTP server. It collects written data until the answer is complete. */
class Caller extends Duplex {
  readonly remoteAddress = '127.0.0.1';
  private received = '';
  private answered: (status: number) => void = () => undefined;

  /** Resolves to the status of the answer. */
  ask(request: Buffer): Promise<number> {
    return new Promise((resolve) => {
      this.answered = resolve;
      this.push(request);
    });
  }

  setTimeout = (): this => this;
  setNoDelay = (): this => this;
  setKeepAlive = (): this => this;

  override _read(): void {
    // `ask` pushes
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.received += chunk.toString('latin1');
    done();
    const head = this.received.indexOf(END_OF_HEAD);
    if (head < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(this.received)?.[1] ?? 0);
    if (this.received.length < head + END_OF_HEAD.length + length) return;
    const status = Number(this.received.split(' ', 2)[1]);
    this.received = '';
    // after the server has finished the request
    setImmediate(this.answered, status);
  }
}

/** Sends the same GET repeatedly, each after the previous answer. Rejects if an answer is not 200. */
export async function answerOnStream(
  server: Server,
  path: string,
  headers: Record<string, string>,
  count: number,
): Promise<void> {
  const lines = Object.entries({ host: 'bench', ...headers }).map(([name, value]) => `${name}: ${value}`);
  const request = Buffer.from([`GET ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
  const caller = new Caller();
  server.emit('connection', caller);
  for (let at = 0; at < count; at++) {
    const status = await caller.ask(request);
    if (status !== 200) throw new Error(`GET ${path} answers ${status}`);
  }
  caller.destroy();
}
