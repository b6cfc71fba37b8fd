import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * When a fault of a call happens. `before`: the call has no effect. `after`: it has its effect, but its answer is lost;
 * while it is delayed its key is in use.
 */
export interface FaultTiming {
  when: 'before' | 'after';
  delayMs?: number;
}

/** The effect on the connection, instead of the provider's answer. */
export type ConnectionFault = 'reset' | 'hang' | 'garbage';

/** An API on loopback: the received calls, and the calls with faults. */
export abstract class ScriptedServer<Call, CallFault> {
  readonly calls: Call[] = [];
  private readonly faults: { fault: CallFault; path: RegExp }[] = [];
  private readonly server: Server = createServer((request, response) => {
    this.serve(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  async listen(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this;
  }

  /** URL for the setting of the API's base. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Injects a fault into the next `times` calls whose line matches `path`. */
  injectFault(fault: CallFault, { path = /./, times = 1 }: { path?: RegExp; times?: number } = {}): void {
    for (let count = 0; count < times; count++) this.faults.push({ fault, path });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  protected abstract serve(request: IncomingMessage, response: ServerResponse): Promise<void>;

  /** The fault of a call, such as `POST /v1/refunds`, if any. Each fault is used once. */
  protected takeFault(line: string): CallFault | undefined {
    const index = this.faults.findIndex(({ path }) => path.test(line));
    return index < 0 ? undefined : this.faults.splice(index, 1)[0]?.fault;
  }
}

/** A provider with accounts, each with books of its own. Moves no money. */
export abstract class ScriptedProvider<
  Call,
  CallFault,
  Transaction,
  Account extends { transactions(): Transaction[]; stop(): void },
> extends ScriptedServer<Call, CallFault> {
  protected readonly accounts = new Map<string, Account>();

  account(name: string): Account {
    const page = Buffer.from(name).toString('base64url'); // a name may be a secret key
    const account = this.accounts.get(name) ?? this.open(name, (id) => `${this.url}/3ds/${page}/${id}`);
    this.accounts.set(name, account);
    return account;
  }

  /** The account of a part of a page's address. */
  protected accountOfPage(page: string): Account {
    return this.account(Buffer.from(page, 'base64url').toString());
  }

  /** The transactions of all accounts. */
  transactions(): Transaction[] {
    return [...this.accounts.values()].flatMap((account) => account.transactions());
  }

  override async close(): Promise<void> {
    for (const account of this.accounts.values()) account.stop();
    await super.close();
  }

  /** `pageUrl`: the URL of the issuer's page for a transaction. */
  protected abstract open(name: string, pageUrl: (id: string) => string): Account;
}

export function breakConnection(response: ServerResponse, what: ConnectionFault): void {
  if (what === 'reset') response.socket?.resetAndDestroy();
  if (what === 'garbage') response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>It works</h1>');
}

/** The issuer's page: a form that posts `outcome=approve` or `outcome=decline` to its own address. */
export function writeIssuerPage(response: ServerResponse): void {
  const button = (outcome: string) => `<button name="outcome" value="${outcome}">${outcome}</button>`;
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end(`<!doctype html><form method="post">${button('approve')}${button('decline')}</form>`);
}

/** A signed notification as it is sent. */
export interface SignedNotification {
  rawBody: Buffer;
  headers: Record<string, string>;
}

export const signedNotification = (rawBody: Buffer, headers: Record<string, string> = {}): SignedNotification => ({
  rawBody,
  headers,
});

const TRIES = 20;
const RETRY_MS = 200;

/** An account's notifications, in order, and their delivery to its endpoint. */
export abstract class ScriptedNotifications<Notification, Endpoint extends { url: string }> {
  readonly all: Notification[] = [];
  endpoint: Endpoint | undefined;
  /** Notifications are held until `release`. */
  held = false;
  protected waiting: Notification[] = [];
  private readonly stopped = new AbortController();

  stop(): void {
    this.stopped.abort();
  }

  protected add(notification: Notification): void {
    this.all.push(notification);
    if (this.held) this.waiting.push(notification);
    else void this.send([notification]);
  }

  protected abstract sign(notifications: Notification[], endpoint: Endpoint): SignedNotification;

  /**
   * Sends until the answer is 2xx, a limited number of times. Returns the last status; 0: no answer, or no endpoint.
   */
  protected async send(notifications: Notification[]): Promise<number> {
    let status = 0;
    for (let tries = 0; tries < TRIES && this.endpoint && !this.stopped.signal.aborted; tries++) {
      if (tries > 0) await delay(RETRY_MS);
      status = await this.post(this.sign(notifications, this.endpoint), this.endpoint.url);
      if (status >= 200 && status < 300) break;
    }
    return status;
  }

  private async post({ rawBody, headers }: SignedNotification, url: string): Promise<number> {
    try {
      const answer = await fetch(url, { method: 'POST', headers, body: rawBody, signal: this.stopped.signal });
      await answer.arrayBuffer();
      return answer.status;
    } catch {
      return 0; // the endpoint does not listen
    }
  }
}
