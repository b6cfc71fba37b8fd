import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  type FakeAnswer,
  type FakeCall,
  FakeServer,
  writeIssuerPage,
} from '@payment-orchestrator/provider-kit/testing';
import { PayPalAccount } from './paypal/paypal-account.js';
import { type Signer, signerAt } from './paypal/paypal-notifications.js';
import { NOT_FOUND, refusal, type StoredOrder, UNAUTHORIZED } from './paypal/paypal-objects.js';

const VALID_S = 32_400;
const KEY_ANSWERS = {
  inUse: refusal(409, 'PREVIOUS_REQUEST_IN_PROGRESS'),
  reused: null, // PayPal compares no bodies
  header: 'paypal-request-id',
};

/**
 * PayPal's Orders v2, Payments v2 and webhooks on loopback, as its documents describe them, with an account and books per
 * client ID. A client ID with `revoked` in it is unknown. Moves no money. https://developer.paypal.com/api/rest/
 *
 * Controlled by: saved wallets (`wallet_…`); `account(id).approve`, `decide`, `decideRefund`, `lapse` and `dispute`, or the
 * page of an order; `expireTokens`, `injectFault`. Observed by `account(id).orders` and `calls`.
 */
export class FakePayPal extends FakeServer {
  private readonly accounts = new Map<string, PayPalAccount>();
  private readonly tokens = new Map<string, PayPalAccount>();
  /** Certificates by the last part of their address. */
  private readonly signers = new Map<string, Signer>();

  constructor() {
    super((call) => this.answer(call), KEY_ANSWERS);
  }

  static start(): Promise<FakePayPal> {
    return new FakePayPal().listen();
  }

  account(clientId: string): PayPalAccount {
    const pageOf = (id: string): string => `${this.url}/checkoutnow/${clientId}/${id}`;
    const account = this.accounts.get(clientId) ?? new PayPalAccount(pageOf, () => this.signer('CERT-current'));
    this.accounts.set(clientId, account);
    return account;
  }

  signer(name: string, terms: { notAfter?: Date } = {}): Signer {
    const signer = this.signers.get(name) ?? signerAt(this.url, name, terms);
    this.signers.set(name, signer);
    return signer;
  }

  /** Access tokens are no longer valid. */
  expireTokens(): void {
    this.tokens.clear();
  }

  transactions(): StoredOrder[] {
    return [...this.accounts.values()].flatMap((account) => account.transactions());
  }

  override async close(): Promise<void> {
    for (const account of this.accounts.values()) account.stop();
    await super.close();
  }

  protected override async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', this.url);
    const certificate = /^\/v1\/notifications\/certs\/(CERT-[\w-]+)$/.exec(pathname)?.[1];
    const known = this.signers.get(certificate ?? '');
    if (known) return void response.writeHead(200, { 'content-type': 'text/plain' }).end(known.cert);
    if (pathname.startsWith('/checkoutnow/')) return this.servePage(request, response);
    // before any key is looked at, so that the repeat of a call with a new token is the first call
    const [, token = ''] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? [];
    const denied = certificate ? NOT_FOUND : UNAUTHORIZED;
    if (pathname !== '/v1/oauth2/token' && !this.tokens.has(token))
      return void response
        .writeHead(denied.status, { 'content-type': 'application/json' })
        .end(JSON.stringify(denied.body));
    return super.serve(request, response);
  }

  /** The payer approves or cancels, and goes back to the shop. */
  private async servePage(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, , clientId = '', id = ''] = (request.url ?? '').split('/');
    if (request.method !== 'POST') return writeIssuerPage(response);
    const isApproved = new URLSearchParams(await text(request)).get('outcome') === 'approve';
    const account = this.account(clientId);
    const { return_url: back, cancel_url: cancelled } = account.order(id).wallet.experience_context ?? {};
    if (isApproved) account.approve(id);
    const location = new URL((isApproved ? back : cancelled) ?? 'https://www.paypal.com/');
    location.searchParams.set('token', id);
    if (isApproved) location.searchParams.set('PayerID', 'QYR5Z8XDVJNXQ');
    response.writeHead(303, { location: location.href }).end();
  }

  private answer({ method, path, body, headers }: FakeCall): FakeAnswer {
    if (method === 'POST' && path === '/v1/oauth2/token') return this.issue(headers.authorization ?? '');
    const [, token = ''] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? [];
    const account = this.tokens.get(token)!;
    const key = headers['paypal-request-id'];
    const given = body === '' ? {} : (JSON.parse(body) as object);
    const [, , , kind = '', id = '', action = ''] = path.split('/');
    if (path === '/v2/checkout/orders' && method === 'POST')
      return account.create(given, typeof key === 'string' ? key : undefined);
    const line = [method, kind, action].filter(Boolean).join(' ');
    if (line === 'DELETE payment-tokens') return account.forget(id);
    if (line === 'POST authorizations capture') return account.capture(id, given);
    if (line === 'POST authorizations void') return account.void(id);
    if (line === 'POST captures refund') return account.refund(id, given);
    const found = account.findCapture(id);
    if (line === 'GET captures' && found)
      return { status: 200, body: account.shownCapture(found.order, found.capture) };
    const order = kind === 'orders' ? account.orders.find((one) => one.id === id) : undefined;
    if (!order) return NOT_FOUND;
    if (line === 'GET orders') return { status: 200, body: account.shown(order) };
    if (line === 'POST orders capture') return account.complete(order, 'capture');
    return line === 'POST orders authorize' ? account.complete(order, 'authorize') : NOT_FOUND;
  }

  private issue(authorization: string): FakeAnswer {
    const [, basic = ''] = /^Basic (\S+)$/.exec(authorization) ?? [];
    const [clientId = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':');
    if (clientId === '' || secret === '' || `${clientId}${secret}`.includes('revoked')) return UNAUTHORIZED;
    const token = `A21AA${randomUUID()}`;
    this.tokens.set(token, this.account(clientId));
    const body = {
      scope: 'openid',
      access_token: token,
      token_type: 'Bearer',
      app_id: 'APP-1',
      expires_in: VALID_S,
      nonce: '',
    };
    return { status: 200, body };
  }
}
