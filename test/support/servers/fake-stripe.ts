import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { parseForm, type FormValue } from './stripe/form.js';
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

  private write(response: ServerResponse, { status, body, replayed }: Answer & { replayed?: boolean }): void {
    response.writeHead(status, {
      'content-type': 'application/json',
      'request-id': `req_${++this.requests}`,
      'stripe-version': '2026-10-28.endive',
      ...(replayed && { 'idempotent-replayed': 'true' }),
    });
    response.end(JSON.stringify(body, null, 2));
  }

  private servePage(method: string, path: string, body: string, response: ServerResponse): void {
    const [, , secretKey = '', id = ''] = path.split('/');
    const { ledger } = this.account(secretKey);
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
