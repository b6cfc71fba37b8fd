import type { Retry, WebhookHistory } from './history.js';
import type { Attempt, Delivery } from './views.js';
import { DELAYS_MS, type Receipt, statusOf, TIMEOUT_MS } from './webhook-harness.js';

const MOST_ATTEMPTS = DELAYS_MS.length + 1;
/** Times of attempts and of receipts are whole ms of the same clock. */
const ROUNDED_MS = 2;
const GONE = 410;

const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;
const startOf = (attempt: Attempt): number => Date.parse(attempt.started_at);
const endOf = (attempt: Attempt): number => startOf(attempt) + attempt.duration_ms;
const answerOf = ({ behaviour }: Receipt): number | null => statusOf(behaviour);

export interface Evidence {
  deliveries: readonly Delivery[];
  receipts: ReadonlyMap<string, readonly Receipt[]>;
}

/** Violations of single deliveries, by the rules of docs/integrate/webhooks.md, after the drain. */
export function wrongDeliveries(history: WebhookHistory, { deliveries, receipts }: Evidence): string[] {
  return deliveries.flatMap((delivery) => {
    const got = receipts.get(delivery.webhook_id) ?? [];
    const retries = history.retries.filter((retry) => retry.delivery === delivery.id);
    const recoveries = recoveriesOf(delivery, got, history);
    const asked = retries.length + history.redeliveries.length;
    const wrong = [
      ...wrongEnd(delivery, asked + Math.min(recoveries.size, 1)),
      ...wrongTimes(delivery, retries, recoveries, history),
      ...wrongRequests(delivery, got, history),
      ...wrongAddress(history, delivery, got, retries),
    ];
    return wrong.map((what) => `${what}: ${describe(delivery, got)}`);
  });
}

const describe = ({ id, status, payment_id, payment_status, attempts }: Delivery, got: readonly Receipt[]): string =>
  `delivery ${id} of payment ${payment_id}, ${payment_status}, is ${status} after ${attempts
    .map((one) => `${one.started_at} ${one.status_code ?? one.error} ${one.duration_ms} ms`)
    .join(', ')}; receivers had ${got
    .map((one) => `${new Date(one.request.arrivedAt).toISOString()} ${one.behaviour} ${one.request.url}`)
    .join(', ')}`;

/**
 * Numbers of the attempts after which a recovery may have sent the delivery again: a run of the schedule failed, and its
 * endpoint answered another delivery with a 2xx before the next attempt. A recovery gives a delivery at most a second run.
 */
function recoveriesOf(
  { attempts, shop_id: shop }: Delivery,
  got: readonly Receipt[],
  { harness, key }: WebhookHistory,
): ReadonlySet<number> {
  const origins = new Set(got.map(({ origin }) => origin));
  const successes = harness
    .book(key)
    .filter((one) => origins.has(one.origin) && isSuccess(answerOf(one)))
    .filter(({ request }) => request.headers['webhook-shop-id'] === String(shop) && !request.headers['webhook-test'])
    .map(({ request }) => request.arrivedAt);
  const numbers = attempts.filter((_, index) => {
    const next = attempts[index + 1];
    if (!next || !mayRecover(attempts.slice(0, index + 1))) return false;
    // a 2xx may be recorded later than a failure that came after it
    return successes.some((at) => at >= startOf(attempts[0]!) - TIMEOUT_MS && at <= startOf(next));
  });
  return new Set(numbers.map(({ number }) => number));
}

/** Whether a recovery sends a failed delivery with these attempts again: once, and not after a 410. */
export const mayRecover = (attempts: readonly Pick<Attempt, 'status_code'>[]): boolean =>
  attempts.length >= MOST_ATTEMPTS &&
  attempts.length < 2 * MOST_ATTEMPTS &&
  attempts.slice(-MOST_ATTEMPTS).every(isFailed);

/** Checks the number of runs of the retry schedule, and the end of the last one. */
function wrongEnd({ status, attempts, attempt_count, ...last }: Delivery, asked: number): string[] {
  const wrong: string[] = [];
  let [inRun, runs] = [MOST_ATTEMPTS, 0];
  for (const { status_code: code } of attempts) {
    if (inRun === MOST_ATTEMPTS) [inRun, runs] = [0, runs + 1];
    inRun = isSuccess(code) || code === GONE ? MOST_ATTEMPTS : inRun + 1;
  }
  const latest = attempts.at(-1);
  if (attempts.some(({ number }, index) => number !== index + 1)) wrong.push('attempts are not numbered');
  if (attempts.length !== attempt_count) wrong.push(`${attempt_count} attempts are counted`);
  if (!latest) return [...wrong, 'never tried'];
  if (runs > asked + 1) wrong.push(`${runs} runs, where ${asked} were requested`);
  if (status === 'pending') wrong.push('not drained');
  if (status === 'delivered' && !isSuccess(latest.status_code)) wrong.push('delivered without success');
  const isGivenUp = latest.status_code === GONE || attempts.slice(-MOST_ATTEMPTS).every(isFailed);
  if (status === 'failed' && !(isGivenUp && (latest.status_code === GONE || attempts.length >= MOST_ATTEMPTS)))
    wrong.push('given up too early');
  const shown = [last.last_status_code, last.last_error, last.last_attempt_at, last.next_attempt_at];
  const right = [latest.status_code, latest.error, latest.started_at, null];
  if (JSON.stringify(shown) !== JSON.stringify(right)) wrong.push(`the last attempt is shown as ${shown.join(' ')}`);
  if ((last.delivered_at !== null) !== (status === 'delivered')) wrong.push(`delivered at ${last.delivered_at}`);
  return wrong;
}

const isFailed = ({ status_code: code }: Pick<Attempt, 'status_code'>): boolean => !isSuccess(code) && code !== GONE;

/** No attempt is early unless it was requested, and each request led to an attempt. */
function wrongTimes(
  { id, attempts }: Delivery,
  retries: readonly Retry[],
  recoveries: ReadonlySet<number>,
  { redeliveries, erased }: WebhookHistory,
): string[] {
  const wrong: string[] = [];
  for (const [index, attempt] of attempts.entries()) {
    const next = attempts[index + 1];
    if (!next) continue;
    const [ended, begun] = [endOf(attempt), startOf(next)];
    if (begun + ROUNDED_MS < ended) wrong.push(`attempt ${next.number} begins before the one before has ended`);
    const isAsked = [...retries, ...redeliveries].some(({ from, to }) => to >= startOf(attempt) && from <= begun);
    const isOver = isSuccess(attempt.status_code) || attempt.status_code === GONE || recoveries.has(attempt.number);
    const least = attempt.status_code === 429 ? 1_000 : DELAYS_MS[0]!;
    if (!isAsked && !isOver && begun + ROUNDED_MS < ended + least && redeliveries.length === 0)
      wrong.push(`attempt ${next.number} comes too early`);
  }
  const since = (at: number): boolean => attempts.some((attempt) => startOf(attempt) + ROUNDED_MS >= at);
  for (const { from } of retries) if (!since(from)) wrong.push('not tried after the request');
  if (erased.size > 0) return wrong;
  for (const { from, deliveries, filter } of redeliveries)
    if (deliveries.includes(id) && !since(from))
      wrong.push(`not tried after ${filter} at ${new Date(from).toISOString()}`);
  return wrong;
}

/** Every recorded attempt was sent, and every sent request is recorded. */
function wrongRequests(
  { attempts, request_body: body }: Delivery,
  got: readonly Receipt[],
  { harness }: WebhookHistory,
): string[] {
  const wrong: string[] = [];
  const unanswered = attempts.filter(({ status_code: code }) => code === null).length;
  const statuses = new Set([...attempts.map((one) => one.status_code), ...got.map(answerOf)]);
  for (const status of statuses) {
    if (status === null) continue;
    const recorded = attempts.filter((one) => one.status_code === status).length;
    const answered = got.filter((one) => answerOf(one) === status).length;
    if (recorded > answered || answered > recorded + unanswered)
      wrong.push(`${recorded} attempts have ${status}, and ${answered} requests`);
  }
  // a request on a connection that is reset is sent once more
  const resets = got.filter(({ behaviour }) => behaviour === 'resetting').length;
  if (!harness.wasCut && got.length - resets > attempts.length) wrong.push('sent more often than recorded');
  if (got.length > attempts.length + resets) wrong.push('sent again');
  const bodies = new Set(got.map(({ request }) => request.body.toString()));
  if (bodies.size > 1 || (body !== '' && bodies.size === 1 && !bodies.has(body)))
    wrong.push('other bytes than recorded');
  return wrong;
}

/** Checks the address: not one that was replaced. */
function wrongAddress(
  history: WebhookHistory,
  delivery: Delivery,
  got: readonly Receipt[],
  retries: readonly Retry[],
): string[] {
  const payment = history.payments.find(({ id }) => id === delivery.payment_id)!;
  const first = { address: payment.webhook_endpoint!, from: -Infinity, to: -Infinity };
  const moves = [first, ...retries.filter((one): one is Retry & { address: string } => one.address !== null)];
  const allowedAt = (at: number): string[] =>
    moves
      .filter((move) => move.from <= at && !moves.some((other) => other.from > move.to && other.to < at))
      .map(({ address }) => address);
  const { harness } = history;
  const wrong = got
    .filter(({ origin, request }) => {
      const allowed = allowedAt(request.arrivedAt).map(partsOf);
      return !allowed.some((address) => harness.originOf(address.origin) === origin && address.path === request.url);
    })
    .map(({ request }) => `sent to ${request.url} at ${new Date(request.arrivedAt).toISOString()}`);
  const now = allowedAt(Infinity);
  const isErased = history.erased.has(payment.customer?.['id'] as number);
  const { webhook_endpoint: shown } = delivery;
  // if the address may contain personal data, only its origin remains
  const isRight = isErased ? now.some((address) => isOriginOf(shown, address)) : now.includes(shown);
  if (!isRight) wrong.push(`its address is shown as ${shown}`);
  return wrong;
}

export const isOriginOf = (shown: string, address: string): boolean =>
  URL.canParse(shown) && !/hooks|zebra/.test(shown) && new URL(shown).origin === new URL(address).origin;

function partsOf(address: string): { origin: string; path: string } {
  const { origin, pathname, search } = new URL(address);
  return { origin, path: pathname + search };
}

/** A change of a payment is only sent after the first attempt of each earlier one has ended. */
export function wrongOrder({ deliveries }: Evidence): string[] {
  return deliveries.flatMap((delivery) => {
    const earlier = deliveries.filter(({ id, payment_id }) => payment_id === delivery.payment_id && id < delivery.id);
    const [first] = delivery.attempts;
    return earlier
      .filter(({ attempts }) => first && attempts[0] && startOf(first) + ROUNDED_MS < endOf(attempts[0]))
      .map(({ id }) => `delivery ${delivery.id} is tried before the first attempt of ${id} has ended`);
  });
}

/**
 * Checks the signatures of all requests. A delivery is claimed after it was created. The arrival of its previous attempt
 * proves nothing more: a busy receiver may read it after the next claim.
 */
export function wrongSignatures({ shops, harness, key, tests }: WebhookHistory, { deliveries }: Evidence): string[] {
  const created = new Map<string, number>(deliveries.map((one) => [one.webhook_id, Date.parse(one.created_at)]));
  const firstTest = Math.min(...tests.map(({ from }) => from));
  return harness.book(key).flatMap(({ request }) => {
    const since = created.get(String(request.headers['webhook-id'])) ?? firstTest;
    const shop = shops.find((one) => String(one.id) === request.headers['webhook-shop-id']);
    if (!shop) return [`a request of shop ${String(request.headers['webhook-shop-id'])}`];
    return [...shop.secrets.wrongWith(request, since), ...shop.keys.wrongWith(request, since)];
  });
}
