import type { Socket } from 'node:net';

/** A status line as far as the status is told. */
const STATUS_LINE = /^HTTP\/1\.[01] (\d{3})/;
const STATUS_LINE_BYTES = 12;
const BEGINNING = 'HTTP/1.';
const END_OF_LINE = '\r\n';
const END_OF_HEAD = '\r\n\r\n';
const [CR, LF] = [13, 10];
/** 102 means no more than any other interim answer, and undici takes it. */
const INTERIM = 'HTTP/1.1 102';
const SWITCHING_PROTOCOLS = 101;
const RESET_CONTENT = 205;
/** These never have content: RFC 9110, 15.3.5, 15.3.6 and 15.4.5. */
const WITHOUT_CONTENT = [204, RESET_CONTENT, 304];
const LENGTH = /^(?:content-length|transfer-encoding)[ \t]*:/i;
const LENGTH_ZERO = /^content-length:[ \t]*0[ \t]*$/i;
const CONNECTION = /^connection[ \t]*:/i;

/**
 * Why not undici's parser: it refuses answers that RFC 9110 and 9112 have a client read, and no option changes that.
 *
 * Reads the heads of answers without a body in undici's place, and changes nothing of other answers. RFC 9110, 15.2 has a
 * client read interim (1xx) answers that it did not ask for. RFC 9112, 6.3 ends an answer without content with its head,
 * whatever its fields say. undici (7 and 8) refuses 100, and a length that no body follows; its parser refuses two lengths.
 * So these heads are passed on to it without the fields that frame a body, and 100 as 102.
 */
export class AnswerHeads {
  /** The receiver may have sent, or may still send, a body that was not read: it must not be taken for the next answer. */
  inDoubt = false;
  private isHead = false;
  private held: Buffer | undefined;

  /** `began` is called when a part of a head is held back, which undici does not hear of. */
  constructor(private readonly began: () => void) {}

  /** A request is about to be written: what is read next is the head of its answer. */
  expect(): void {
    this.isHead = true;
    this.held = undefined;
  }

  /** Everything that undici reads from `socket` goes through `pass`. Node itself gives `read` a size. */
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
    let rest = this.held === undefined ? chunk : Buffer.concat([this.held, chunk]);
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

  /** Until the rest of the head comes. What it may take is bounded by `HttpExchange.boundAnswer`. */
  private hold(rest: Buffer, passed: Buffer[]): Buffer {
    this.held = rest;
    if (rest.length > 0) this.began();
    return Buffer.concat(passed);
  }

  private unframed(head: string, status: number): Buffer {
    const [statusLine = '', ...fields] = head.split(END_OF_LINE);
    const lengths = fields.filter((field) => LENGTH.test(field));
    const isSaid = lengths.length > 0 || status !== RESET_CONTENT; // RFC 9112 has a 205 say that its content is empty
    if (!isSaid || !lengths.every((field) => LENGTH_ZERO.test(field))) this.inDoubt = true;
    const line = isInterim(status) ? statusLine.replace(STATUS_LINE, INTERIM) : statusLine;
    const others = fields.filter((field) => !LENGTH.test(field) && !(isInterim(status) && CONNECTION.test(field)));
    return Buffer.from([line, ...others, 'content-length: 0', '', ''].join(END_OF_LINE), 'latin1');
  }
}

/** The status of an answer without a body; `undefined`: not told yet. */
function statusOf(bytes: Buffer): number | 'other' | undefined {
  const start = bytes.toString('latin1', 0, STATUS_LINE_BYTES);
  const [, status] = STATUS_LINE.exec(start) ?? [];
  if (status === undefined) return start.length < STATUS_LINE_BYTES && isBeginning(start) ? undefined : 'other';
  return isInterim(Number(status)) || WITHOUT_CONTENT.includes(Number(status)) ? Number(status) : 'other';
}

const isInterim = (status: number): boolean => status >= 100 && status < 200 && status !== SWITCHING_PROTOCOLS;

const isBeginning = (start: string): boolean => start.startsWith(BEGINNING) || BEGINNING.startsWith(start);

/** Before a head they mean nothing. */
function withoutBlankLines(bytes: Buffer): Buffer {
  let at = 0;
  while (bytes[at] === CR || bytes[at] === LF) at += 1;
  return at === 0 ? bytes : bytes.subarray(at);
}
