import type { Socket } from 'node:net';

/** A status line up to the status code. */
const STATUS_LINE = /^HTTP\/1\.[01] (\d{3})/;
const STATUS_LINE_BYTES = 12;
const BEGINNING = 'HTTP/1.';
const END_OF_LINE = '\r\n';
const END_OF_HEAD = '\r\n\r\n';
const [CR, LF] = [13, 10];
/** 102 is equivalent to any other interim response, and undici accepts it. */
const INTERIM = 'HTTP/1.1 102';
const SWITCHING_PROTOCOLS = 101;
const RESET_CONTENT = 205;
/** These never have content: RFC 9110, 15.3.5, 15.3.6 and 15.4.5. */
const WITHOUT_CONTENT = [204, RESET_CONTENT, 304];
const LENGTH = /^(?:content-length|transfer-encoding)[ \t]*:/i;
const LENGTH_ZERO = /^content-length:[ \t]*0[ \t]*$/i;
const CONNECTION = /^connection[ \t]*:/i;

/**
 * Reads the heads of responses without a body before undici does; other responses pass unchanged. Interim (1xx)
 * responses that the client did not ask for must be read (RFC 9110, 15.2). A response without content ends with its
 * head, regardless of its fields (RFC 9112, 6.3). undici (7 and 8) refuses 100, and a length without a body; its parser
 * refuses two lengths. So these heads reach undici without the fields that frame a body, and 100 becomes 102.
 *
 * Why not undici's parser: it refuses responses that RFC 9110 and 9112 allow, and no option changes that.
 */
export class AnswerHeads {
  /**
   * The receiver may have sent, or may still send, a body that nothing reads. It must not be taken for the next
   * response, so the connection cannot be used again.
   */
  mayHoldUnreadBody = false;
  private isHead = false;
  private partial: Buffer | undefined;

  /** `onBegin` is called when the first part of a head has arrived and is held back from undici. */
  constructor(private readonly onBegin: () => void) {}

  /** A request is about to be written: the next bytes are the head of its response. */
  expect(): void {
    this.isHead = true;
    this.partial = undefined;
  }

  /** Passes everything that undici reads from `socket` through `pass`. Only Node itself calls `read` with a size. */
  watch(socket: Socket): void {
    const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
    socket.read = (size?: number): Buffer | null => {
      if (size !== undefined) return read(size);
      for (let chunk = read(); chunk !== null; chunk = read()) {
        const passed = this.pass(chunk);
        if (passed.length > 0) return passed;
      }
      return null;
    };
  }

  private pass(chunk: Buffer): Buffer {
    if (!this.isHead) return chunk;
    const passed: Buffer[] = [];
    let rest = this.partial === undefined ? chunk : Buffer.concat([this.partial, chunk]);
    while (this.isHead) {
      rest = withoutBlankLines(rest);
      const status = statusOf(rest);
      this.isHead = status !== 'other';
      if (status === 'other') break;
      const end = rest.indexOf(END_OF_HEAD);
      if (status === undefined || end < 0) return this.hold(rest, passed);
      passed.push(this.unframed(rest.toString('latin1', 0, end), status));
      rest = rest.subarray(end + END_OF_HEAD.length);
      this.isHead = isInterim(status);
    }
    return passed.length === 0 ? rest : Buffer.concat([...passed, rest]);
  }

  /** Keeps a part of a head until the rest arrives. `HttpExchange.boundAnswer` limits its size. */
  private hold(rest: Buffer, passed: Buffer[]): Buffer {
    this.partial = rest;
    if (rest.length > 0) this.onBegin();
    return Buffer.concat(passed);
  }

  private unframed(head: string, status: number): Buffer {
    const [statusLine = '', ...fields] = head.split(END_OF_LINE);
    const lengths = fields.filter((field) => LENGTH.test(field));
    // RFC 9112: a 205 must declare that its content is empty
    const isDeclared = lengths.length > 0 || status !== RESET_CONTENT;
    if (!isDeclared || !lengths.every((field) => LENGTH_ZERO.test(field))) this.mayHoldUnreadBody = true;
    const line = isInterim(status) ? statusLine.replace(STATUS_LINE, INTERIM) : statusLine;
    const others = fields.filter((field) => !LENGTH.test(field) && !(isInterim(status) && CONNECTION.test(field)));
    return Buffer.from([line, ...others, 'content-length: 0', '', ''].join(END_OF_LINE), 'latin1');
  }
}

/** The status of a response without a body; `undefined`: not yet known. */
function statusOf(bytes: Buffer): number | 'other' | undefined {
  const start = bytes.toString('latin1', 0, STATUS_LINE_BYTES);
  const [, status] = STATUS_LINE.exec(start) ?? [];
  if (status === undefined) return start.length < STATUS_LINE_BYTES && isBeginning(start) ? undefined : 'other';
  return isInterim(Number(status)) || WITHOUT_CONTENT.includes(Number(status)) ? Number(status) : 'other';
}

const isInterim = (status: number): boolean => status >= 100 && status < 200 && status !== SWITCHING_PROTOCOLS;

const isBeginning = (start: string): boolean => start.startsWith(BEGINNING) || BEGINNING.startsWith(start);

/** Blank lines before a head have no meaning. */
function withoutBlankLines(bytes: Buffer): Buffer {
  let at = 0;
  while (bytes[at] === CR || bytes[at] === LF) at += 1;
  return at === 0 ? bytes : bytes.subarray(at);
}
