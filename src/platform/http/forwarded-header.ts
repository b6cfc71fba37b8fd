import type { IncomingHttpHeaders } from 'node:http';
import { canonicalAddress } from './client-address.js';

// Own code, because the package `forwarded` and Fastify read only X-Forwarded-For, not the header of RFC 7239.

/**
 * Replaces the `X-Forwarded-*` headers, which Fastify reads, by the values of `Forwarded`. The received `X-Forwarded-*`
 * headers are dropped: a proxy that writes `Forwarded` passes on what its caller wrote into them. `proto` and `host` of
 * the nearest proxy count.
 */
export function takeForwarded(headers: IncomingHttpHeaders): void {
  const hops = hopsOf(headers.forwarded ?? '');
  for (const name of Object.keys(headers)) if (name.startsWith('x-forwarded-')) delete headers[name];
  const nearest = hops.at(-1);
  if (!nearest) return;
  headers['x-forwarded-for'] = hops.map((hop) => canonicalAddress(hop.get('for') ?? '') ?? 'unknown').join(', ');
  const proto = nearest.get('proto')?.toLowerCase();
  if (proto === 'http' || proto === 'https') headers['x-forwarded-proto'] = proto;
  const host = nearest.get('host');
  if (host !== undefined) headers['x-forwarded-host'] = host;
}

type Hop = Map<string, string>;

const hopsOf = (forwarded: string): Hop[] =>
  splitFromEnd(forwarded, ',')
    .filter((element) => element.trim() !== '')
    .map((element) => new Map(splitFromEnd(element, ';').map(pairOf)));

function pairOf(pair: string): [string, string] {
  const [name = '', ...value] = pair.split('=');
  const text = value.join('=').trim();
  const isQuoted = text.length > 1 && text.startsWith('"') && text.endsWith('"');
  return [name.trim().toLowerCase(), isQuoted ? text.slice(1, -1).replace(/\\(.)/g, '$1') : text];
}

/** Splits from the end, where the nearest proxy wrote: an unclosed quote of a caller must not hide the rest. */
function splitFromEnd(text: string, separator: string): string[] {
  const parts: string[] = [];
  let end = text.length;
  let isQuoted = false;
  for (let at = text.length - 1; at >= 0; at--) {
    if (text[at] === '"' && !(isQuoted && isEscaped(text, at))) isQuoted = !isQuoted;
    if (text[at] !== separator || isQuoted) continue;
    parts.unshift(text.slice(at + 1, end));
    end = at;
  }
  return [text.slice(0, end), ...parts];
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 1;
}
