import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { sharedApi, startApi } from '../../support/app/api-app.js';
import { type InProcessService, startServiceInProcess } from '../../support/app/in-process-service.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { OidcProvider } from '../../support/servers/oidc-provider.js';

const AUDIENCE = 'https://payments.example';
const SCOPES = 'shops:read flows:read webhooks:read';

let provider: OidcProvider;
let database: TestDatabase;
let api: InProcessService;

beforeAll(async () => {
  // 1 is the first merchant of a new database
  provider = await OidcProvider.start({
    audience: AUDIENCE,
    scopes: SCOPES,
    claims: { merchant_id: 1, name: 'Ada Lovelace', groups: ['finance'] },
  });
  database = await createTestDatabase();
  api = await startServiceInProcess({
    entry: 'api',
    databaseUrl: database.url,
    env: { ...provider.settings, AUTH_ROLES: '{"groups":{"finance":"finance"}}' },
  });
});
afterAll(async () => {
  await api?.stop();
  await provider?.stop();
  await database?.drop();
});

/** A browser without pages: it keeps cookies and the address. */
class Visitor {
  readonly cookies = new Map<string, string>();
  address = '';
  text = '';

  /** Follows redirects, to the first address that starts with `until` or to a page. */
  async go(to: string, { until, form }: { until?: string; form?: Record<string, string> } = {}): Promise<void> {
    this.address = new URL(to, this.address || api.url).href;
    if (until !== undefined && this.address.startsWith(until)) return;
    const answer = await fetch(this.address, {
      redirect: 'manual',
      headers: { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) this.cookies.delete(name!);
      else this.cookies.set(name!, value!);
    }
    this.text = await answer.text();
    const location = answer.headers.get('location');
    if (location !== null) await this.go(location, until === undefined ? {} : { until });
  }

  /** Signs in on the pages of the provider, and returns to the console. */
  async logIn(to: string, { login = 'ada', until }: { login?: string; until?: string } = {}): Promise<void> {
    await this.go(`${api.url}/console/oidc/login?to=${encodeURIComponent(to)}`);
    await this.go(this.address, { form: { prompt: 'login', login, password: 'any' } });
    await this.go(this.address, { form: { prompt: 'consent' }, ...(until !== undefined && { until }) });
  }

  get session(): string | undefined {
    return this.cookies.get('payments_session');
  }
}

const failure = ({ address }: Visitor): string | null => new URL(address).searchParams.get('problem');

describe('signing in to the console with an identity provider', () => {
  it('leads to the requested page, with the name, the granted scopes, and those of the groups', async () => {
    const ada = new Visitor();
    await ada.logIn('/console/shops?x=1');
    expect(ada.address).toBe(`${api.url}/console/shops?x=1`);
    await ada.go(`${api.url}/console/session`);
    const scopes = expect.arrayContaining([...SCOPES.split(' '), 'payments:settle']);
    expect(JSON.parse(ada.text)).toMatchObject({
      data: { client_id: 'external:1:ada', name: 'Ada Lovelace', merchant: { id: 1 }, scopes },
    });
    expect([...ada.cookies.keys()].filter((name) => name.startsWith('payments_'))).toEqual(['payments_session']);
  });

  it('reports that the provider denied the sign-in', async () => {
    const ada = new Visitor();
    await ada.go(`${api.url}/console/oidc/login?to=/console`);
    await ada.go(`${ada.address}/abort`);
    expect([failure(ada), ada.session]).toEqual(['oidc_denied', undefined]);
  });

  it('refuses an answer to a sign-in of another browser, and a second answer', async () => {
    const [ada, thief] = [new Visitor(), new Visitor()];
    await ada.logIn('/console', { until: `${api.url}/console/oidc/callback` });
    const callback = ada.address;
    await thief.go(callback);
    expect([failure(thief), thief.session]).toEqual(['oidc_expired', undefined]);
    await ada.go(callback);
    expect([failure(ada), ada.session]).toEqual([null, expect.any(String)]);
    ada.cookies.delete('payments_session');
    await ada.go(callback);
    expect([failure(ada), ada.session]).toEqual(['oidc_expired', undefined]);
  });

  it.each(['//evil.example/', 'https://evil.example/'])('leads only to the console, not to %s', async (to) => {
    const ada = new Visitor();
    await ada.logIn(to);
    expect(ada.address).toBe(`${api.url}/console`);
  });

  it('gives no session for an unusable token, and the log says why', async () => {
    // the log of the service may go to one that started later
    const warn = jest.spyOn(Logger.prototype, 'warn');
    const guest = new Visitor();
    await guest.logIn('/console', { login: 'guest' });
    expect([failure(guest), guest.session]).toEqual(['oidc_refused', undefined]);
    const msg = 'an access token of the identity provider is not accepted';
    expect(warn).toHaveBeenCalledWith({ msg, detail: expect.stringContaining('the token names no merchant') });
  });

  it('reports another error for a provider that does not answer', async () => {
    const other = await startApi({ ...provider.settings, AUTH_ISSUER: 'http://127.0.0.1:1' });
    const ada = new Visitor();
    await ada.go(`${other.url}/console/oidc/login?to=/console`);
    expect(failure(ada)).toBe('oidc_unavailable');
    await other.stop();
  });
});

describe('the console', () => {
  it('its settings name no provider, and its sign-in answers 404, without one', async () => {
    const own = await sharedApi();
    expect((await fetch(`${own.url}/console/settings`).then((answer) => answer.json())) as object).toMatchObject({
      data: { oidc_provider: null },
    });
    expect((await fetch(`${own.url}/console/oidc/login`)).status).toBe(404);
    await own.stop();
  });

  it('serves nothing when it is switched off', async () => {
    const off = await startApi({ CONSOLE: 'false' });
    for (const path of ['/console', '/console/session', '/console/settings'])
      expect((await fetch(off.url + path)).status).toBe(404);
    await off.stop();
  });
});
