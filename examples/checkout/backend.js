// The merchant's backend: serves the page, creates payments and receives webhooks. It never sees a card number.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { ConnectionError, ProblemError } from '@payment-orchestrator/client';
import { rememberInMemory } from '@payment-orchestrator/receiver';
import { webhooks } from '@payment-orchestrator/receiver/express';

const AMOUNT = 49.9;
const CANCEL_READS = 20;
const CANCEL_READ_INTERVAL_MS = 250;
const MAX_BODY_CHARACTERS = 64 * 1024;
const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css' };
/** Statuses after which another payment may begin. */
const ENDED_UNPAID = ['failed', 'cancelled'];
const PAGE = new URL('page/', import.meta.url);
const PAGE_FILES = ['index.html', 'style.css', 'checkout.js', 'cards.js', 'issuer.js', 'stripe.js', 'adyen.js'];

/** `client`: of the service; `shops`: with their webhook secrets; `providers`: the page's settings of the providers. */
export async function startBackend({ client, shops, providers, port }) {
  /**
   * By the order's id. A caller with this id can read the order and act for its payer, so no answer about another order has it.
   * A real shop has a database.
   */
  const orders = new Map();

  const receive = webhooks({
    secrets: (shopId) => shops.find(({ id }) => id === shopId)?.webhook_secret,
    duplicates: rememberInMemory(),
    handle: (event) => applyWebhook(event),
    onRefused: (error) => console.warn(`refused a webhook: ${error.message}`),
  });

  function applyWebhook({ event, timestamp, payment, shop, metadata }) {
    if (event !== 'payment.status_changed') return true;
    const order = orders.get(metadata?.order);
    const known = order?.payments.get(payment.id);
    if (!order || known?.timestamp > timestamp) return false; // webhooks may arrive out of order
    order.payments.set(payment.id, { status: payment.status, timestamp });
    // ship the goods from here, not when the page says so
    order.isPaid = [...order.payments.values()].some(({ status }) => status === 'completed');
    order.webhooks.push({ payment: payment.id, status: payment.status, shop: shop.name });
    return true;
  }

  function createOrder() {
    const id = randomUUID();
    const [payments, webhooks] = [new Map(), []];
    orders.set(id, { id, begun: 0, request: undefined, paymentId: undefined, payments, webhooks, isPaid: false });
    return { order: id };
  }

  /** A page that lost the answer may ask again meanwhile: it gets the same one. */
  function pay(order, methods) {
    order.paying ??= payOnce(order, methods).finally(() => (order.paying = undefined));
    return order.paying;
  }

  /** Reads the order's payment first: only one that has failed or is cancelled is followed by another. */
  async function payOnce(order, methods) {
    if (hasPayment(order)) {
      const state = await read(order);
      const current = state.nextAction ? await cancel(order) : state;
      if (!ENDED_UNPAID.includes(current.status)) return current;
    }
    order.begun += 1;
    Object.assign(order, { paymentId: undefined, request: requestOf(order, methods) });
    return createPayment(order);
  }

  const requestOf = ({ id }, { stripe, adyen }) => ({
    flow_name: 'checkout',
    amount: AMOUNT,
    currency: 'EUR',
    payment_method: {
      options: [
        ...(stripe ? [{ provider: 'stripe', account: 'europe', token: stripe }] : []),
        ...(adyen ? [{ provider: 'adyen', account: 'europe', data: adyen }] : []),
      ],
      next_action_type: 'provider_action',
    },
    return_url: `${url}/?order=${id}`,
    webhook_endpoint: `${url}/webhooks`,
    metadata: { order: id },
  });

  /** May be repeated: the same key and body make one payment. Without an answer the page asks again. */
  async function createPayment(order) {
    try {
      const { data: payment } = await client.post('/payments', {
        params: { header: { 'Idempotency-Key': `order-${order.id}-${order.begun}` } },
        body: order.request,
      });
      Object.assign(order, { paymentId: payment.id, request: undefined });
      return stateOf(order, payment);
    } catch (error) {
      if (isRefused(error)) order.request = undefined;
      if (!(error instanceof ConnectionError)) throw error;
      return { order: order.id, status: 'pending', nextAction: null, tries: [], isPaid: false };
    }
  }

  /**
   * The payer did not finish the step and chose again. A payment that ended meanwhile stays as it is. Some providers
   * confirm later; without that, the page waits for the end of this payment.
   */
  async function cancel(order) {
    try {
      await client.post('/payments/{id}/cancel', { params: { path: { id: order.paymentId } } });
    } catch (error) {
      if (!(error instanceof ProblemError && error.status === 409)) throw error;
    }
    let state = await read(order);
    for (let reads = 1; reads < CANCEL_READS && state.status === 'processing'; reads += 1) {
      await setTimeout(CANCEL_READ_INTERVAL_MS);
      state = await read(order);
    }
    return { ...state, nextAction: null };
  }

  /** The payer's step is done in the page: `data` is what the provider's script returned. */
  async function finishStep(order, { data }) {
    const path = { id: order.paymentId };
    const answer = await client.post('/payments/{id}/next-action', { params: { path }, body: { data } });
    return stateOf(order, answer.data);
  }

  async function read(order) {
    if (order.paymentId === undefined) return createPayment(order);
    const { data } = await client.get('/payments/{id}', { params: { path: { id: order.paymentId } } });
    return stateOf(order, data);
  }

  /** The part of a payment that the page may know. */
  async function stateOf(order, { id, status, next_action: nextAction }) {
    const { data: attempts } = await client.get('/payments/{id}/attempts', { params: { path: { id } } });
    const tries = attempts.map(({ shop, outcome, decline_code: reason }) => ({ account: shop.name, outcome, reason }));
    return { order: order.id, payment: id, status, nextAction, tries, isPaid: order.isPaid };
  }

  async function route(method, path, body) {
    if (method === 'GET' && path === '/settings') return providers;
    if (method === 'POST' && path === '/orders') return createOrder();
    const [, id, step] = /^\/orders\/([\w-]+)(\/payment|\/next-action|\/webhooks)?$/.exec(path) ?? [];
    const order = orders.get(id);
    if (!order) return undefined;
    if (method === 'POST' && step === '/payment') return pay(order, body);
    if (method === 'GET' && step === '/webhooks') return order.webhooks;
    if (!hasPayment(order)) return undefined;
    if (method === 'POST' && step === '/next-action' && order.paymentId !== undefined) return finishStep(order, body);
    return method === 'GET' && !step ? read(order) : undefined;
  }

  async function serve(request, response) {
    const { pathname: path } = new URL(request.url, url);
    if (request.method === 'POST' && path === '/webhooks') return receive(request, response);
    const file = path === '/' ? 'index.html' : path.slice(1);
    if (request.method === 'GET' && PAGE_FILES.includes(file)) return sendFile(response, file);
    const body = request.method === 'POST' ? await jsonOf(request) : undefined;
    const answer = await route(request.method, path, body);
    if (answer === undefined) sendJson(response, 404, { message: 'There is no such page or order.' });
    else sendJson(response, 200, answer);
  }

  async function sendFile(response, file) {
    const content = await readFile(new URL(file, PAGE));
    const connections = `'self' ${providers.stripe.url} ${providers.adyen.url}`;
    response.writeHead(200, {
      'content-type': TYPES[extname(file)],
      'content-security-policy': `default-src 'self'; img-src data:; connect-src ${connections}; frame-ancestors 'none'`,
    });
    response.end(content);
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error) => sendError(response, error));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}`;
  return { server, url };
}

/** A payment was asked for, even if its id is not known yet. */
const hasPayment = ({ request, paymentId }) => request !== undefined || paymentId !== undefined;

/** The request is wrong, so that no payment was made. Other errors may follow a payment without an answer. */
const isRefused = (error) => error instanceof ProblemError && [400, 404, 422].includes(error.status);

class BadRequest extends Error {}

async function jsonOf(request) {
  // another site can send no JSON without asking first, and is never allowed to
  if (!request.headers['content-type']?.startsWith('application/json')) throw new BadRequest('Send JSON.');
  if (Number(request.headers['content-length'] ?? Infinity) > MAX_BODY_CHARACTERS) throw new BadRequest('Too large.');
  try {
    return Object(JSON.parse(await text(request)));
  } catch {
    throw new BadRequest('This is no JSON.');
  }
}

function sendError(response, error) {
  if (error instanceof BadRequest) return sendJson(response, 400, { message: error.message });
  if (error instanceof ProblemError && error.status < 500) {
    return sendJson(response, error.status, { message: error.message });
  }
  console.error(error);
  return sendJson(response, 502, { message: 'The payment service does not answer. Nothing is lost: try again.' });
}

function sendJson(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}
