import { decodedBody } from '../../../platform/outbound/decoded-body.js';
import type { OutboundResult } from '../../../platform/outbound/outbound-result.js';
import type { EndpointAuth } from './endpoint-auth.js';

const HIDDEN = '***';
/** A shorter value, such as `1` or `true`, is hidden only where it is a whole word. */
const MIN_SECRET_LENGTH = 8;

/** The merchant's values that each request to a receiver contains. */
interface SentValues {
  headers: Readonly<Record<string, string>>;
  auth: EndpointAuth | null;
}

/** The stored secrets that a request to the receiver contains: values of headers, credentials, the password. */
export function sentSecrets({ headers, auth }: SentValues, authorization?: string): string[] {
  const values = [...Object.values(headers), ...(authorization === undefined ? [] : [authorization])];
  const credentials = values.flatMap((value) => /^[A-Za-z]+ +(\S+)$/.exec(value)?.[1] ?? []);
  return [...values, ...credentials, ...(auth?.type === 'basic' ? [auth.password] : [])];
}

/** The answer of a receiver that may echo its request, with the secrets hidden: as they are, and as JSON or a URL has them. */
export function withoutSecrets(answer: Buffer, secrets: readonly string[]): Buffer {
  const spellings = secrets.flatMap((secret) => [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
  ]);
  const longestFirst = [...new Set(spellings)].filter(Boolean).sort((one, other) => other.length - one.length);
  if (answer.length === 0 || longestFirst.length === 0) return answer;
  // Latin-1 keeps every byte, also those that are not UTF-8
  const text = answer.toString('latin1');
  const hidden = text.replaceAll(new RegExp(longestFirst.map(patternOf).join('|'), 'g'), HIDDEN);
  return hidden === text ? answer : Buffer.from(hidden, 'latin1');
}

function patternOf(secret: string): string {
  const pattern = Buffer.from(secret, 'utf8')
    .toString('latin1')
    .replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return secret.length < MIN_SECRET_LENGTH ? `(?<![A-Za-z0-9])${pattern}(?![A-Za-z0-9])` : pattern;
}

/** The result of a request to the receiver with the answer that may be shown: decoded, so that no secret stays in it. */
export function hidingSecrets(result: OutboundResult, receiver: SentValues, authorization?: string): OutboundResult {
  const secrets = sentSecrets(receiver, authorization);
  if (secrets.length === 0) return result;
  const decoded = decodedBody(result);
  const shown = withoutSecrets(decoded ?? result.responseBody, secrets);
  return { ...result, responseBody: shown, contentEncoding: decoded ? null : result.contentEncoding };
}
