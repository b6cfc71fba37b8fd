import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib';
import { MAX_BODY_BYTES } from './http-exchange.js';
import { type OutboundResult, storableText } from './outbound-result.js';

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b, 0x08]);

type Decode = (bytes: Buffer) => Buffer;

/** Also decodes a cut body: what has arrived is worth reading. */
const flushed: ZlibOptions = { maxOutputLength: MAX_BODY_BYTES, finishFlush: constants.Z_SYNC_FLUSH };
const gunzip: Decode = (bytes) => gunzipSync(bytes, flushed);
/** RFC 9110, 8.4.1.2: some servers send `deflate` without the zlib format. */
const inflate: Decode = (bytes) => ((bytes[0]! & 0x0f) === 8 ? inflateSync : inflateRawSync)(bytes, flushed);
const unbrotli: Decode = (bytes) =>
  brotliDecompressSync(bytes, {
    maxOutputLength: MAX_BODY_BYTES,
    finishFlush: constants.BROTLI_OPERATION_FLUSH,
  });
const DECODERS: Record<string, Decode> = { gzip: gunzip, 'x-gzip': gunzip, deflate: inflate, br: unbrotli };

/**
 * The body without the content codings of its response (RFC 9110, 8.4), cut to about 64 KiB; `undefined` if it cannot be
 * decoded. A body that begins as gzip is decoded without the header, too: some proxies remove it.
 */
export function decodedBody({ responseBody, contentEncoding }: OutboundResult): Buffer | undefined {
  if (responseBody.length === 0) return responseBody;
  const codings = codingsOf(contentEncoding ?? '');
  if (codings.length === 0 && responseBody.subarray(0, 3).equals(GZIP_MAGIC)) codings.push('gzip');
  if (codings.length > Object.keys(DECODERS).length) return undefined; // each costs a decoder
  return codings.reduceRight<Buffer | undefined>(
    (bytes, coding) => (bytes && Object.hasOwn(DECODERS, coding) ? beginningOf(bytes, DECODERS[coding]!) : undefined),
    responseBody,
  );
}

/** The answer as text for a `text` column: see `storableText`. An undecodable body is stored as it came. */
export const answerText = (result: OutboundResult): string => storableText(decodedBody(result) ?? result.responseBody);

const codingsOf = (header: string): string[] =>
  header
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');

/** Decodes a shorter beginning while the output exceeds its limit, so that a bomb costs little. */
function beginningOf(bytes: Buffer, decode: Decode): Buffer | undefined {
  for (let length = bytes.length; length > 0; length = Math.floor(length / 2)) {
    try {
      return decode(bytes.subarray(0, length));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') return undefined;
    }
  }
  return undefined;
}
