import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { parseForm, type FormValue } from './stripe/form.js';
import { type Answer, type FakeTransaction, StripeAccount } from './stripe/stripe-account.js';

export interface ReceivedCall {
  method: string;
  /** Without the query. */
  path: string;
  form: Record<string, FormValue>;
  headers: IncomingMessage['headers'];
}

/**
 * What goes wrong with a call. `before`: it is not carried out. `after`: it is carried out, but nobody hears of it; a 5xx is
 * kept under the idempotency key then, as Stripe does, and while it is delayed the key is in use (409).
 */
export type StripeTrouble = { when: 'before' | 'after'; delayMs?: number } & (
  { what: 'reset' | 'hang' | 'garbage' | 'delay' } | { what: 'status'; status: number; code?: string }
);

const UNAUTHORIZED: Answer = {
  status: 401,
  body: { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } },
};
const FORBIDDEN: Answer = {
  status: 403,
  body: {
    error: { type: 'invalid_request_error', message: 'The provided key does not have the required permissions' },
  },
};

/**
 * Stripe on loopback: PaymentIntents, refunds, search and webhooks as documented, with a ledger per secret key
 * (`sk_test_…`; one with `revoked` in it is not known, one with `restricted` may do nothing). Moves no money.
 *
 * Driven by: magic tokens and `account(key).ledger.tokens`; `ledger.settleIntent` and `settleRefund`, or the issuer's page;
 * `spoil` for what goes wrong on the way; `account(key).events` (`endpoint`, `held`, `release` in any order, `deliver` again);
 * `searchLags`, `forgetKeys`. Asked by `transactions` and `calls`.
 */
export class FakeStripe {
  readonly calls: ReceivedCall[] = [];
  private readonly accounts = new Map<string, StripeAccount>();
  private readonly troubles: { trouble: StripeTrouble; path: RegExp }[] = [];
  private requests = 0;

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      this.serve(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
  }

  static async start(): Promise<FakeStripe> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FakeStripe(server);
  }

  /** For `STRIPE_API_BASE`. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  account(secretKey: string): StripeAccount {
    const known = this.accounts.get(secretKey);
    if (known) return known;
    const account = new StripeAccount((id) => `${this.url}/3ds/${secretKey}/${id}`);
    this.accounts.set(secretKey, account);
    return account;
  }

  /** What all accounts hold. */
  transactions(): FakeTransaction[] {
    return [...this.accounts.values()].flatMap((account) => account.transactions());
  }

  /** The next `times` calls whose `POST /v1/…` (or `GET /v1/…`) matches `path` go wrong. */
  spoil(trouble: StripeTrouble, { path = /./, times = 1 }: { path?: RegExp; times?: number } = {}): void {
    for (let count = 0; count < times; count++) this.troubles.push({ trouble, path });
  }

  async close(): Promise<void> {
    for (const { events } of this.accounts.values()) events.stop();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET' } = request;
    const { pathname: path, search } = new URL(request.url ?? '/', this.url);
    const body = await readAll(request);
    if (path.startsWith('/3ds/')) return this.servePage(method, path, body, response);
    const form = parseForm(method === 'GET' ? search.slice(1) : body);
    this.calls.push({ method, path, form, headers: request.headers });
    const secretKey = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const trouble = this.takeTrouble(`${method} ${path}`);
    if (trouble?.when === 'before') {
      await delay(trouble.delayMs ?? 0);
      if (isHarm(trouble.what)) return harm(response, trouble.what);
    }
    const answer = await this.answer(secretKey, { method, path, form, headers: request.headers }, trouble);
    if (trouble?.when === 'after' && isHarm(trouble.what)) return harm(response, trouble.what);
    this.write(response, answer);
  }

  private async answer(
    secretKey: string,
    call: ReceivedCall,
    trouble: StripeTrouble | undefined,
  ): Promise<Answer & { replayed?: boolean }> {
    if (!/^(sk|rk)_test_/.test(secretKey) || secretKey.includes('revoked')) return UNAUTHORIZED;
    if (secretKey.includes('restricted')) return FORBIDDEN;
    const failed = trouble?.what === 'status' ? errorOf(trouble) : undefined;
    if (failed && trouble?.when === 'before') return failed;
    const header = call.headers['idempotency-key'];
    const key = typeof header === 'string' ? header : undefined;
    return this.account(secretKey).handle({ ...call, key }, async (answer) => {
      if (trouble?.when === 'after') await delay(trouble.delayMs ?? 0);
      return failed ?? answer;
    });
  }

  private write(response: ServerResponse, { status, body, replayed }: Answer & { replayed?: boolean }): void {
    response.writeHead(status, {
      'content-type': 'application/json',
      'request-id': `req_${++this.requests}`,
      'stripe-version': '2026-10-28.endive',
      ...(replayed && { 'idempotent-replayed': 'true' }),
    });
    response.end(JSON.stringify(body, null, 2));
  }

  /** The issuer's page: a form that posts `outcome=approve` or `outcome=decline` to its own address. */
  private servePage(method: string, path: string, body: string, response: ServerResponse): void {
    const [, , secretKey = '', id = ''] = path.split('/');
    const { ledger } = this.account(secretKey);
    const intent = ledger.intent(id);
    if (method !== 'POST') {
      const button = (outcome: string) => `<button name="outcome" value="${outcome}">${outcome}</button>`;
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(`<!doctype html><form method="post">${button('approve')}${button('decline')}</form>`);
      return;
    }
    const returnUrl = intent.next_action?.redirect_to_url?.return_url ?? '/';
    ledger.settleIntent(id, parseForm(body)['outcome'] === 'approve' ? 'succeeded' : 'failed');
    response.writeHead(303, { location: `${returnUrl}?payment_intent=${id}` }).end();
  }

  private takeTrouble(line: string): StripeTrouble | undefined {
    const index = this.troubles.findIndex(({ path }) => path.test(line));
    return index < 0 ? undefined : this.troubles.splice(index, 1)[0]?.trouble;
  }
}

type Harm = 'reset' | 'hang' | 'garbage';

const isHarm = (what: StripeTrouble['what']): what is Harm => what !== 'status' && what !== 'delay';

function harm(response: ServerResponse, what: Harm): void {
  if (what === 'reset') response.socket?.resetAndDestroy();
  if (what === 'garbage') response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>It works</h1>');
}

const errorOf = ({ status, code }: { status: number; code?: string }): Answer => ({
  status,
  body: { error: { type: 'api_error', message: `played: ${status}`, ...(code !== undefined && { code }) } },
});

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
