// The order of the checks matters: the body is not parsed, and the time is not trusted, before a signature has matched.
// Checks after a mismatch only improve the message; they never accept a webhook.
import { type Bytes, fromBase64, fromHex, hexKey, standardKey, utf8, type VerificationKey } from './keys.js';
import { type SecretLookup, type Secrets, type SecretSource, textsOf } from './secrets.js';
import { WebhookVerificationError } from './verification-error.js';
import type { WebhookEvent } from './webhook-event.js';

/** The body as received. A text is encoded as UTF-8. */
export type RawBody = Uint8Array | ArrayBuffer | string;

/** `Headers`, or the headers object of Node; names in any case. */
export type WebhookHeaders =
  { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** Maximum difference between the time of a signature and now, in both directions. Finite; default: 300. */
  toleranceSeconds?: number;
  /**
   * `standard` (the default): the three headers of Standard Webhooks, whose signature covers the id and the time of the request.
   * `signature`: only the header `Signature`, which covers nothing but the body. Anyone who has seen a request can then repeat
   * it at any time. Never chosen from the request, because an attacker would then choose.
   */
  scheme?: 'standard' | 'signature';
  /** The current time in milliseconds since 1970; default: the clock of the machine. */
  now?: () => number;
}

const TOLERANCE_SECONDS = 300;
/** In place of the id of a shop, which begins at 1. */
const NO_SHOP = 0;
/**
 * The maximum number of signatures that are checked: the service sends signatures of at most three secrets and two keys. An
 * ed25519 check is expensive, and the sender controls the header.
 */
const MAX_SIGNATURES = { v1: 3, v1a: 2 };

/**
 * Returns the event of a genuine webhook. Throws `WebhookVerificationError` with a code for any other request, and `TypeError`
 * for a missing or invalid secret, or an option that would accept everything.
 */
export async function verify(
  rawBody: RawBody,
  headers: WebhookHeaders,
  secrets: SecretSource,
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  requireOptions(options);
  const body = bytesOf(rawBody);
  const signed = options.scheme === 'signature' ? readSignature(headers) : readStandard(headers);
  const sender = senderOf(headers, secrets);
  const known = await secretsFor(sender, secrets);
  const keys = (await Promise.all(known.map(signed.keysOf))).flat();
  if (!(await isSigned(body, signed, keys))) throw await explain(body, signed, keys);
  if (signed.timestamp !== undefined) requireRecent(signed.timestamp, options);
  return eventOf(body, sender?.kind === 'shop' ? sender.id : undefined);
}

/** The signatures of a request, and the keys that can verify them. */
interface Signed {
  /** The part of the signed content before the body. */
  prefix: string;
  /** Unix seconds. */
  timestamp?: number;
  signatures: { kind: VerificationKey['kind']; bytes: Bytes }[];
  keysOf(this: void, secret: string): Promise<VerificationKey[]>;
}

function readSignature(headers: WebhookHeaders): Signed {
  const bytes = fromHex(required(headers, 'signature'));
  if (!bytes) throw new WebhookVerificationError('malformed_header', 'Signature is not hexadecimal');
  return { prefix: '', signatures: [{ kind: 'hex', bytes }], keysOf: hexKey };
}

function readStandard(headers: WebhookHeaders): Signed {
  const id = required(headers, 'webhook-id');
  const timestamp = required(headers, 'webhook-timestamp');
  const given = required(headers, 'webhook-signature');
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookVerificationError('malformed_header', 'webhook-timestamp is not a number of seconds');
  }
  const versioned = given.split(' ').flatMap(readVersioned);
  const signatures = (['v1', 'v1a'] as const).flatMap((kind) =>
    versioned.filter((each) => each.kind === kind).slice(0, MAX_SIGNATURES[kind]),
  );
  if (signatures.length === 0) {
    throw new WebhookVerificationError('malformed_header', 'webhook-signature holds neither v1 nor v1a');
  }
  const keysOf = async (secret: string): Promise<VerificationKey[]> => [await standardKey(secret)];
  return { prefix: `${id}.${timestamp}.`, timestamp: Number(timestamp), signatures, keysOf };
}

function readVersioned(text: string): Signed['signatures'] {
  const [kind, encoded = ''] = text.split(',');
  const bytes = fromBase64(encoded);
  return bytes && (kind === 'v1' || kind === 'v1a') ? [{ kind, bytes }] : [];
}

/** The shop or standing endpoint that a request names. Not verified, so it only selects the secret. */
export interface Sender {
  /** `shop`: the body must be of this shop. */
  kind: 'shop' | 'endpoint';
  /** 0: of no shop. */
  id: number;
  /** The standing endpoint, if a `SenderLookup` got its id. */
  endpointId?: number | undefined;
  secrets(this: void): ReturnType<SecretLookup>;
}

/**
 * The sender that a request names; `undefined` if the secrets do not depend on it. To a function that may ignore the endpoint,
 * an endpoint's request is one of its shop: otherwise a shop's owner could add the header and sign an event of another shop.
 */
export function senderOf(headers: WebhookHeaders, source: SecretSource): Sender | undefined {
  if (typeof source === 'function') {
    const isToEndpoint = headerOf(headers, 'webhook-endpoint-id') !== undefined;
    const endpointId = isToEndpoint ? idOf(headers, 'endpoint') : undefined;
    const isOfNoShop = isToEndpoint && headerOf(headers, 'webhook-shop-id') === undefined;
    const id = isOfNoShop ? NO_SHOP : idOf(headers, 'shop');
    return { kind: 'shop', id, endpointId, secrets: () => source(id, endpointId) };
  }
  if (!isLookups(source)) return undefined;
  const { shop, endpoint } = source;
  const isToEndpoint = shop === undefined || headerOf(headers, 'webhook-endpoint-id') !== undefined;
  const [kind, lookup] = isToEndpoint ? (['endpoint', endpoint] as const) : (['shop', shop] as const);
  const id = idOf(headers, kind);
  return { kind, id, secrets: () => lookup(id) };
}

export const isLookups = (source: SecretSource): source is Extract<SecretSource, { endpoint: SecretLookup }> =>
  typeof source === 'object' && source !== null && 'endpoint' in source;

async function secretsFor(sender: Sender | undefined, source: SecretSource): Promise<readonly string[]> {
  if (!sender) return textsOf(source as Secrets);
  const [kind, id] =
    sender.endpointId === undefined ? [sender.kind, sender.id] : (['endpoint', sender.endpointId] as const);
  const secrets: Secrets | null | undefined = await sender.secrets();
  if (secrets === undefined || secrets === null) {
    const name = kind === 'shop' ? 'Shop' : 'Endpoint';
    throw new WebhookVerificationError(`unknown_${kind}`, `${name} ${id} is unknown here`);
  }
  return textsOf(secrets, ` of ${kind} ${id}`);
}

function idOf(headers: WebhookHeaders, kind: Sender['kind']): number {
  const name = `webhook-${kind}-id`;
  const text = required(headers, name);
  if (!/^[1-9]\d{0,15}$/.test(text)) {
    throw new WebhookVerificationError(
      'malformed_header',
      `${name} is not the id of ${kind === 'shop' ? 'a shop' : 'an endpoint'}`,
    );
  }
  return Number(text);
}

async function isSigned(body: Bytes, { prefix, signatures }: Signed, keys: VerificationKey[]): Promise<boolean> {
  const content = prefix === '' ? body : concatenated(utf8(prefix), body);
  const checks = keys.flatMap((key) =>
    signatures.filter(({ kind }) => kind === key.kind).map(({ bytes }) => key.matches(bytes, content)),
  );
  return (await Promise.all(checks)).includes(true);
}

/** The reason of a mismatch. If the body matches after `JSON.stringify`, which the service uses, it was re-serialized. */
async function explain(body: Bytes, signed: Signed, keys: VerificationKey[]): Promise<WebhookVerificationError> {
  const rewritten = reserialized(body);
  if (rewritten !== undefined && (await isSigned(utf8(rewritten), signed, keys))) {
    return new WebhookVerificationError('body_reserialized', 'The body was re-serialized');
  }
  return new WebhookVerificationError('wrong_secret', 'No secret matches the signature');
}

function reserialized(body: Bytes): string | undefined {
  try {
    return JSON.stringify(JSON.parse(new TextDecoder().decode(body)));
  } catch {
    return undefined;
  }
}

/** Throws `TypeError` for a tolerance that would accept every time, such as `NaN`, with which every comparison is false. */
export function requireOptions({ toleranceSeconds = TOLERANCE_SECONDS }: VerifyOptions): void {
  if (Number.isFinite(toleranceSeconds) && toleranceSeconds >= 0) return;
  throw new TypeError(`toleranceSeconds: got ${toleranceSeconds}, takes a number of seconds from 0`);
}

function requireRecent(timestamp: number, { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now }: VerifyOptions) {
  const ageSeconds = Math.floor(now() / 1_000) - timestamp;
  if (Number.isNaN(ageSeconds)) throw new TypeError('now: returned no number of milliseconds');
  if (ageSeconds > toleranceSeconds) {
    throw new WebhookVerificationError('timestamp_too_old', `The webhook was signed ${ageSeconds} s ago`);
  }
  if (ageSeconds < -toleranceSeconds) {
    throw new WebhookVerificationError('timestamp_too_new', `The webhook was signed ${-ageSeconds} s from now`);
  }
}

/** Parses the event. `shopId` is the shop whose secret matched: it must not sign events of another shop. */
function eventOf(body: Bytes, shopId: number | undefined): WebhookEvent {
  const event = parsed(body);
  if (!isEvent(event)) throw new WebhookVerificationError('malformed_body', 'The body is not an event');
  if (shopId !== undefined && !isOfShop(event, shopId)) {
    throw new WebhookVerificationError('wrong_shop', `The body is not from shop ${shopId}`);
  }
  return event;
}

/** Changes of a payment's status name their shop in `shop`, other events in `shop_id`. */
function isOfShop(event: WebhookEvent, shopId: number): boolean {
  const { shop, shop_id: id } = event as { shop?: { id?: unknown } | null; shop_id?: unknown };
  const named = [shop?.id, id].filter((each) => each !== undefined && each !== null);
  return named.length === 0 ? shopId === NO_SHOP : named.every((each) => each === shopId);
}

function parsed(body: Bytes): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as unknown;
  } catch {
    return undefined;
  }
}

const isEvent = (value: unknown): value is WebhookEvent =>
  typeof value === 'object' && value !== null && typeof (value as { event?: unknown }).event === 'string';

function bytesOf(rawBody: RawBody): Bytes {
  if (typeof rawBody === 'string') return utf8(rawBody);
  if (rawBody instanceof ArrayBuffer || rawBody instanceof Uint8Array) return new Uint8Array(rawBody);
  throw new WebhookVerificationError('body_reserialized', 'The body was parsed before it was verified');
}

/** Returns a header, `undefined` if it is absent. Throws `malformed_header` if it came several times. */
export function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  const value = headers[name] ?? Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (value === undefined || typeof value === 'string') return value;
  if (value.length > 1) throw new WebhookVerificationError('malformed_header', `${name} came ${value.length} times`);
  return value[0];
}

const isHeaders = (headers: WebhookHeaders): headers is { get(name: string): string | null } =>
  typeof headers.get === 'function';

function required(headers: WebhookHeaders, name: string): string {
  const value = headerOf(headers, name);
  if (value === undefined || value === '') {
    throw new WebhookVerificationError('missing_header', `The header ${name} is missing`);
  }
  return value;
}

function concatenated(one: Bytes, other: Bytes): Bytes {
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}
