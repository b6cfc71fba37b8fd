import { type Container, endOfText, pathOf } from './json-bounds.js';

const [QUOTE, COMMA, COLON, MINUS, ZERO, NINE] = [0x22, 0x2c, 0x3a, 0x2d, 0x30, 0x39];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const NUMBER_CHARACTER = /[-+.\deE]/;

/** A key of an object, or a number, as written in the text: a key with its quotes and escapes. */
export interface JsonToken {
  kind: 'key' | 'number';
  text: string;
  /** The object of the key; the object or array of the number, if any. */
  container: Container | undefined;
  path: () => string;
}

/**
 * The keys and numbers of a JSON text, with the details that `JSON.parse` drops. The text must already have been
 * parsed. Why own code: the reviver of `JSON.parse` does not see a replaced key, and Node 20 does not give it the
 * source text.
 */
export function* tokensOf(bytes: Buffer): Generator<JsonToken> {
  const open: Container[] = [];
  let [textFrom, textTo] = [0, 0];
  const path = (): string => pathOf(bytes, open);
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    const container = open.at(-1);
    if (byte === QUOTE) {
      [textFrom, textTo] = [at, endOfText(bytes, at)];
      at = textTo;
    } else if (byte === COLON) {
      Object.assign(container!, { keyFrom: textFrom, keyTo: textTo });
      yield { kind: 'key', text: bytes.toString('utf8', textFrom, textTo + 1), container, path };
    } else if (byte === COMMA) {
      container!.count += 1;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      open.push({ isArray: byte === OPEN_ARRAY, count: 0, keyFrom: 0, keyTo: 0 });
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      open.pop();
    } else if (byte === MINUS || (byte >= ZERO && byte <= NINE)) {
      const text = numberAt(bytes, at);
      yield { kind: 'number', text, container, path };
      at += text.length - 1;
    }
  }
}

function numberAt(bytes: Buffer, from: number): string {
  let to = from + 1;
  while (to < bytes.length && NUMBER_CHARACTER.test(String.fromCharCode(bytes[to]!))) to++;
  return bytes.toString('latin1', from, to);
}
