import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { AdyenAccount, type Answer, faultAnswer, type FakeTransaction } from './adyen/adyen-account.js';
import { encrypt } from './adyen/adyen-encryption.js';
import { AdyenFault } from './adyen/adyen-objects.js';
import type { AdditionalDetails } from './adyen/adyen-steps.js';
import {
  type ConnectionFault,
  breakConnection,
  ScriptedProvider,
  type FaultTiming,
  writeIssuerPage,
} from '@payment-orchestrator/provider-kit/testing';

export interface ReceivedCall {
  /** The path with the version, such as `/v72/payments`. */
  path: string;
  body: Record<string, unknown>;
  headers: IncomingMessage['headers'];
}

/**
 * A fault of a call. `before`: the call has no effect. `after`: it has its effect, but its answer is lost; while it is
 * delayed, a repeated call with the same key is in progress (704).
 */
export type AdyenCallFault = FaultTiming &
  ({ what: ConnectionFault | 'delay' } | { what: 'status'; status: number; errorCode?: string; isTransient?: boolean });

interface PayersStep {
  action: Record<string, unknown>;
  outcome: 'approve' | 'decline';
  /** Return after each step of 3-D Secure, like an integration without Adyen's client key. */
  each?: boolean;
}

const UNAUTHORIZED = new AdyenFault(401, '000', 'HTTP Status Response - Unauthorized', 'security');
const FORBIDDEN = new AdyenFault(403, '901', 'Invalid Merchant Account', 'security');

/**
 * Adyen's Checkout API on loopback, as documented: payments, details, cancels, captures, refunds and signed webhooks, with a ledger per
 * merchant account (one with `Unknown` in it may not be used; an API key with `revoked` in it is not known). Moves no money.
 */
export class FakeAdyen extends ScriptedProvider<ReceivedCall, AdyenCallFault, FakeTransaction, AdyenAccount> {
  static start(): Promise<FakeAdyen> {
    return new FakeAdyen().listen();
  }

  protected override open(name: string, pageUrl: (id: string) => string): AdyenAccount {
    return new AdyenAccount(name, pageUrl);
  }

  protected override async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams } = new URL(request.url ?? '/', this.url);
    const sent = await text(request);
    if (path.startsWith('/3ds/')) return this.servePage(request.method, path, sent, response);
    if (path.startsWith('/components/')) return this.serveComponents(request.method, path, sent, response);
    const isRemoval = request.method === 'DELETE';
    const body = (isRemoval ? Object.fromEntries(searchParams) : JSON.parse(sent)) as Record<string, unknown>;
    this.calls.push({ path, body, headers: request.headers });
    const fault = this.takeFault(path);
    if (fault?.when === 'before') {
      await delay(fault.delayMs ?? 0);
      if (fault.what !== 'delay') return answerWithFault(response, fault);
    }
    const answer = await this.answer(path, body, request.headers, fault?.when === 'after' ? fault.delayMs : 0);
    if (fault?.when === 'after' && fault.what !== 'delay') return answerWithFault(response, fault);
    write(response, answer);
  }

  private answer(
    path: string,
    body: Record<string, unknown>,
    headers: IncomingMessage['headers'],
    delayMs = 0,
  ): Promise<Answer> | Answer {
    const { 'x-api-key': apiKey, 'idempotency-key': key } = headers;
    if (typeof apiKey !== 'string' || apiKey.includes('revoked')) return faultAnswer(UNAUTHORIZED);
    const [, route] = /^\/v72(\/.+)$/.exec(path) ?? [];
    if (route === undefined) return faultAnswer(new AdyenFault(404, '000', `no such path: ${path}`));
    const name = route === '/payments/details' ? this.ownerOfReturn(body) : String(body['merchantAccount']);
    if (name.includes('Unknown')) return faultAnswer(FORBIDDEN);
    const call = { path: route, body, key: typeof key === 'string' ? key : undefined };
    return this.account(name).handle(call, async (answer) => {
      await delay(delayMs);
      return answer;
    });
  }

  /** `/payments/details` names no account. */
  private ownerOfReturn(body: Record<string, unknown>): string {
    const accounts = [...this.accounts.values()];
    const knows = ({ ledger }: AdyenAccount) => ledger.steps.knows(body as unknown as AdditionalDetails);
    return (accounts.find(knows) ?? accounts[0])?.name ?? 'Unknown';
  }

  /**
   * Acts as Adyen's script in the payer's page, from any page:
   * - `POST /components/encrypt` with values of a card, by field, answers them encrypted.
   * - `POST /components/handle-action` with `{ action, outcome: 'approve' | 'decline', each? }` acts as `handleAction` and
   *   answers `{ data }`, what `onAdditionalDetails` gets; `null`: it is not called.
   */
  private serveComponents(method: string | undefined, path: string, sent: string, response: ServerResponse): void {
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'content-type' };
    if (method === 'OPTIONS') return void response.writeHead(204, headers).end();
    const body = path === '/components/encrypt' ? encryptedCard(sent) : { data: this.handleAction(sent) };
    write(response, { status: 200, headers, body });
  }

  private handleAction(sent: string): AdditionalDetails | null {
    const { action, outcome, each } = JSON.parse(sent) as PayersStep;
    const results = [...this.accounts.values()].map(({ ledger }) =>
      ledger.steps.handle(action, outcome === 'approve', each ?? false),
    );
    return results.find((result) => result) ?? null;
  }

  private servePage(method: string | undefined, path: string, body: string, response: ServerResponse): void {
    const [, , page = '', pspReference = ''] = path.split('/');
    const { ledger } = this.accountOfPage(page);
    ledger.find(pspReference);
    const outcome = new URLSearchParams(body).get('outcome');
    if (method === 'POST' && outcome !== null) {
      response.writeHead(303, { location: ledger.authenticate(pspReference, outcome === 'approve') }).end();
      return;
    }
    writeIssuerPage(response);
  }
}

function encryptedCard(sent: string): object {
  const fields = Object.entries(JSON.parse(sent) as Record<string, string>);
  return Object.fromEntries(fields.map(([field, value]) => [field, encrypt(value)]));
}

function answerWithFault(response: ServerResponse, fault: AdyenCallFault): void {
  if (fault.what !== 'status') return fault.what === 'delay' ? undefined : breakConnection(response, fault.what);
  const { status, errorCode = '', isTransient } = fault;
  const { body } = new AdyenFault(status, errorCode, `simulated ${status}`, 'internal');
  write(response, { status, body, ...(isTransient && { headers: { 'transient-error': 'true' } }) });
}

function write(response: ServerResponse, { status, body, headers }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json;charset=UTF-8', ...headers });
  response.end(JSON.stringify(body));
}
