import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { parseForm, type FormValue } from './stripe/form.js';
import { createCardMethod } from './stripe/stripe-cards.js';
import { invalidRequest, StripeFault } from './stripe/stripe-objects.js';
import { type Answer, type FakeTransaction, StripeAccount } from './stripe/stripe-account.js';
import {
  type ConnectionFault,
  breakConnection,
  ScriptedProvider,
  type FaultTiming,
  writeIssuerPage,
} from '@payment-orchestrator/provider-kit/testing';

export interface ReceivedCall {
  method: string;
  /** The path without the query. */
  path: string;
  form: Record<string, FormValue>;
  headers: IncomingMessage['headers'];
}

/**
 * A fault of a call. `before`: the call has no effect. `after`: it has its effect, but its answer is lost. A 5xx is
 * then stored with the idempotency key, as Stripe does, and while the call is delayed its key is in use (409).
 */
export type StripeCallFault = FaultTiming &
  ({ what: ConnectionFault | 'delay' } | { what: 'status'; status: number; code?: string });

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
 * (`sk_test_…`). A key with `revoked` in it is unknown, and one with `restricted` has no permissions. Moves no money.
 *
 * A publishable key (`pk_test_…`) makes PaymentMethods of cards. With an intent's client secret it reads the intent, and as Stripe.js's `handleNextAction`
 * answers its `use_stripe_sdk`: `POST /v1/3ds2/authenticate` with `source`, `client_secret` and the payer's `outcome`.
 *
 * Controlled by: magic tokens and `account(key).ledger.tokens`; `ledger.settleIntent` and `settleRefund`, or the
 * issuer's page; `injectFault` for faults of calls; `account(key).events` (`endpoint`, `held`, `release` in any order,
 * `deliver` again); `searchLags`, `forgetKeys`. Observed by `transactions` and `calls`.
 */
export class FakeStripe extends ScriptedProvider<ReceivedCall, StripeCallFault, FakeTransaction, StripeAccount> {
  private requests = 0;

  static start(): Promise<FakeStripe> {
    return new FakeStripe().listen();
  }

  protected override open(key: string, pageUrl: (id: string) => string): StripeAccount {
    return new StripeAccount(`acct_${hash('sha256', key).slice(0, 16)}`, pageUrl);
  }

  protected override async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET' } = request;
    const { pathname: path, search } = new URL(request.url ?? '/', this.url);
    const body = await text(request);
    if (path.startsWith('/3ds/')) return this.servePage(method, path, body, response);
    const form = parseForm(method === 'GET' ? search.slice(1) : body);
    this.calls.push({ method, path, form, headers: request.headers });
    if (typeof form['key'] === 'string') return this.write(response, this.answerPayer(method, path, form));
    const secretKey = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const fault = this.takeFault(`${method} ${path}`);
    if (fault?.when === 'before') {
      await delay(fault.delayMs ?? 0);
      if (isConnectionFault(fault.what)) return breakConnection(response, fault.what);
    }
    const answer = await this.answer(secretKey, { method, path, form, headers: request.headers }, fault);
    if (fault?.when === 'after' && isConnectionFault(fault.what)) return breakConnection(response, fault.what);
    this.write(response, answer);
  }

  private async answer(
    secretKey: string,
    call: ReceivedCall,
    fault: StripeCallFault | undefined,
  ): Promise<Answer & { replayed?: boolean }> {
    if (!/^(sk|rk)_test_/.test(secretKey) || secretKey.includes('revoked')) return UNAUTHORIZED;
    if (secretKey.includes('restricted')) return FORBIDDEN;
    const failed = fault?.what === 'status' ? errorOf(fault) : undefined;
    if (failed && fault?.when === 'before') return failed;
    const header = call.headers['idempotency-key'];
    const key = typeof header === 'string' ? header : undefined;
    return this.account(secretKey).handle({ ...call, key }, async (answer) => {
      if (fault?.when === 'after') await delay(fault.delayMs ?? 0);
      return failed ?? answer;
    });
  }

  /** Calls of Stripe.js in the payer's page, from any origin. */
  private answerPayer(method: string, path: string, form: Record<string, FormValue>): Answer {
    const { key, client_secret: secret = '', source, outcome } = form as Record<string, string>;
    const [id = ''] = secret.split('_secret_');
    if (!/^pk_test_/.test(key!)) return UNAUTHORIZED;
    try {
      const { ledger } = this.account(key!.replace(/^pk_/, 'sk_'));
      if (method === 'POST' && path === '/v1/payment_methods') {
        return { status: 200, body: createCardMethod(form, ledger.tokens) };
      }
      const intent = ledger.intent(id);
      if (intent.client_secret !== secret) throw invalidRequest('The client_secret provided does not match.');
      if (method === 'GET' && path === `/v1/payment_intents/${id}`) return { status: 200, body: intent };
      const waiting = intent.next_action?.use_stripe_sdk?.['three_d_secure_2_source'];
      if (method !== 'POST' || path !== '/v1/3ds2/authenticate' || waiting === undefined || source !== waiting) {
        throw invalidRequest('There is no such authentication.', { code: 'resource_missing' }, 404);
      }
      ledger.settleIntent(id, outcome === 'approve' ? 'succeeded' : 'failed');
      return { status: 200, body: { object: 'three_d_secure_2', source, state: ledger.intent(id).status } };
    } catch (thrown) {
      if (thrown instanceof StripeFault) return { status: thrown.status, body: { error: thrown.fields } };
      throw thrown;
    }
  }

  private write(response: ServerResponse, { status, body, replayed }: Answer & { replayed?: boolean }): void {
    response.writeHead(status, {
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
      'request-id': `req_${++this.requests}`,
      'stripe-version': '2026-10-28.endive',
      ...(replayed && { 'idempotent-replayed': 'true' }),
    });
    response.end(JSON.stringify(body, null, 2));
  }

  private servePage(method: string, path: string, body: string, response: ServerResponse): void {
    const [, , page = '', id = ''] = path.split('/');
    const { ledger } = this.accountOfPage(page);
    const intent = ledger.intent(id);
    if (method !== 'POST') {
      writeIssuerPage(response);
      return;
    }
    const returnUrl = intent.next_action?.redirect_to_url?.return_url ?? '/';
    ledger.settleIntent(id, parseForm(body)['outcome'] === 'approve' ? 'succeeded' : 'failed');
    response.writeHead(303, { location: `${returnUrl}?payment_intent=${id}` }).end();
  }
}

const isConnectionFault = (what: StripeCallFault['what']): what is ConnectionFault =>
  what !== 'status' && what !== 'delay';

const errorOf = ({ status, code }: { status: number; code?: string }): Answer => ({
  status,
  body: { error: { type: 'api_error', message: `simulated ${status}`, ...(code !== undefined && { code }) } },
});
