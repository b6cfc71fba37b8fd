import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { decodeJwt } from 'jose';
import { JwtService } from '@nestjs/jwt';
import { COMMAND_LINE } from '../../../src/audit/audit-context.js';
import { ApiClientsService } from '../../../src/auth/api-clients.service.js';
import { MerchantsService } from '../../../src/auth/merchants.service.js';
import { SigningKeys } from '../../../src/auth/signing-keys.js';
import { ROLES } from '../../../src/access/roles.js';
import { SCOPES } from '../../../src/access/scopes.js';
import { Clock } from '../../../src/shared/clock.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { ApiClient } from '../../support/app/api-client.js';
import { insertClient } from '../../support/app/insert-client.js';
import { eventually } from '../../support/eventually.js';

interface Session {
  merchant: { id: number; name: string };
  client_id: string;
  scopes: string[];
  csrf_token: string;
  expires_at: string;
}
type Answer = { data: Session; code: string; detail: string };

const PROXY = '127.0.0.1/32';
const HOUR_MS = 3_600_000;

let api: TestApi;
let http: ApiClient;
let clientId: string;
let clientSecret: string;

beforeAll(async () => {
  api = await startApi({ TRUST_PROXY: PROXY });
  http = new ApiClient(api.url);
  const { id: merchantId } = await api.get(MerchantsService).create('Blumen Müller');
  ({ id: clientId, secret: clientSecret } = await insertClient(api.database, { merchantId }));
});
afterEach(() => void jest.restoreAllMocks());
afterAll(() => api.stop());

const credentials = () => ({ client_id: clientId, client_secret: clientSecret });
const cookieOf = (headers: Headers): string => headers.get('set-cookie')!.split(';', 1)[0]!;

async function signedIn(body: object = credentials()): Promise<Session & { cookie: string }> {
  const { status, headers, body: answer } = await http.post<Answer>('/console/session', body);
  expect(status).toBe(200);
  return { ...answer.data, cookie: cookieOf(headers) };
}

const later = (ms: number): void => {
  const now = Date.now();
  jest.spyOn(api.get(Clock as Type<Clock>), 'now').mockReturnValue(new Date(now + ms));
};

describe('sign-in to the console', () => {
  it('the session has the rights that its person has now', async () => {
    const { id: merchantId } = await api.get(MerchantsService).create('Of Grace');
    const { id, secret } = await insertClient(api.database, { merchantId }, ['audit:read', 'shops:read']);
    const { cookie } = await signedIn({ client_id: id, client_secret: secret });
    await api.database.pool.query(`UPDATE api_clients SET role = 'support' WHERE client_id = $1`, [id]);
    await eventually(async () => {
      const { body } = await http.get<Answer>('/console/session', { cookie });
      expect(body.data.scopes).toEqual(ROLES.support.scopes);
    });
  });

  it('returns the signed-in client, and keeps the token where no script can read it', async () => {
    const { status, headers, body } = await http.post<Answer>('/console/session', credentials());
    expect(status).toBe(200);
    expect(body.data).toEqual({
      merchant: { id: expect.any(Number), name: 'Blumen Müller' },
      client_id: clientId,
      name: 'A client',
      scopes: SCOPES,
      rights_given_by: ['A client'],
      csrf_token: expect.stringMatching(/^[\w-]{43}$/),
      expires_at: expect.stringMatching(/Z$/),
    });
    expect(headers.get('set-cookie')).toMatch(
      /^payments_session=[\w.-]+; Path=\/; Max-Age=(3599|3600); HttpOnly; SameSite=Strict$/,
    );
    expect(headers.get('cache-control')).toBe('no-store');
    const token = cookieOf(headers).split('=')[1]!;
    expect(JSON.stringify(body)).not.toContain(token);
    expect(JSON.stringify(body)).not.toContain(clientSecret);
  });

  it('sets a cookie only for https if a trusted proxy reports https', async () => {
    const { headers } = await http.post('/console/session', credentials(), { 'x-forwarded-proto': 'https' });
    expect(headers.get('set-cookie')).toMatch(/; Secure$/);
  });

  it.each([
    ['a wrong secret', () => ({ ...credentials(), client_secret: 'wrong' }), 401, 'invalid_credentials'],
    ['an unknown client', () => ({ ...credentials(), client_id: 'unknown' }), 401, 'invalid_credentials'],
    ['no secret', () => ({ client_id: clientId }), 422, 'validation_failed'],
    ['an additional field', () => ({ ...credentials(), scope: 'all' }), 422, 'validation_failed'],
  ])('refuses %s, and sets no cookie', async (_, body, status, code) => {
    const answer = await http.post<Answer>('/console/session', body());
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  it('refuses a form, which other sites could send', async () => {
    const form = new URLSearchParams(credentials()).toString();
    const answer = await http.post<Answer>('/console/session', form, {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(answer.status).toBe(415);
  });

  it('limits how often secrets are tried', async () => {
    const own = await startApi({ TOKEN_RATE_LIMIT_PER_MINUTE: '20' });
    try {
      const wrong = { client_id: 'client_x', client_secret: 'wrong' };
      const tries = [1, 2, 3].map(() => new ApiClient(own.url).post<Answer>('/console/session', wrong));
      const answers = await Promise.all(tries);
      expect(answers.map(({ status }) => status).sort()).toEqual([401, 401, 429]);
      expect(answers.find(({ status }) => status === 429)!.headers.get('retry-after')).toMatch(/^\d+$/);
    } finally {
      await own.stop();
    }
  });
});

describe('a session', () => {
  it('reads the API with only its cookie', async () => {
    const { cookie } = await signedIn();
    expect(await http.get('/shops', { cookie: `theme=dark; ${cookie}; other=1` })).toMatchObject({ status: 200 });
    expect(await http.get('/shops', { cookie: 'theme=dark' })).toMatchObject({ status: 401 });
  });

  it.each(['POST', 'PATCH', 'DELETE'])('writes by %s only with its own CSRF token', async (method) => {
    const { cookie, csrf_token: csrfToken } = await signedIn();
    const other = await signedIn();
    const path = method === 'POST' ? '/shops' : method === 'PATCH' ? '/shops/999999' : '/flows/999999';
    const body = method === 'DELETE' ? undefined : { name: `of ${method}` };
    const send = (headers: Record<string, string>) =>
      http
        .request<Answer>(method, path, body, { cookie, ...headers })
        .then(({ status, body: answer }) => [status, answer.code]);
    const refused = [403, 'csrf_token_invalid'];
    expect(await send({})).toEqual(refused);
    expect(await send({ 'x-csrf-token': '' })).toEqual(refused);
    expect(await send({ 'x-csrf-token': other.csrf_token })).toEqual(refused);
    expect(await send({ 'x-csrf-token': csrfToken })).not.toEqual(refused);
    expect((await send({ 'x-csrf-token': csrfToken }))[0]).not.toBe(401);
  });

  it('gives precedence to a token in the request', async () => {
    const { cookie } = await signedIn();
    const stranger = await api.loginAsAnotherMerchant();
    const authorization = `Bearer ${stranger.token}`;
    const { body } = await http.get<Answer>('/console/session', { cookie, authorization });
    expect(body.data.merchant.name).toBe('A merchant');
    expect(await http.get('/shops', { cookie, authorization: 'Bearer wrong' })).toMatchObject({ status: 401 });
  });

  it('returns the signed-in client, and nothing without a session', async () => {
    const { cookie, csrf_token: csrfToken } = await signedIn();
    const { status, headers, body } = await http.get<Answer>('/console/session', { cookie });
    expect([status, body.data]).toMatchObject([200, { client_id: clientId, csrf_token: csrfToken }]);
    expect(headers.get('set-cookie')).toBeNull();
    expect(await http.get('/console/session')).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  });

  it('continues while a person works, and ends after twelve hours, including its last token', async () => {
    let { cookie, expires_at: expiresAt } = await signedIn();
    const end = decodeJwt<{ auth_time: number }>(cookie.split('=')[1]!).auth_time * 1_000 + 12 * HOUR_MS;
    for (let halfHours = 1; halfHours < 24; halfHours++) {
      later(halfHours * (HOUR_MS / 2) + 60_000);
      const { status, headers, body } = await http.get<Answer>('/console/session', { cookie });
      expect(status).toBe(200);
      if (headers.get('set-cookie') !== null) cookie = cookieOf(headers);
      expiresAt = body.data.expires_at;
    }
    expect(Date.parse(expiresAt)).toBe(end);
    later(12 * HOUR_MS - 60_000);
    const last = await http.get<Answer>('/console/session', { cookie });
    expect([last.status, last.headers.get('set-cookie')]).toEqual([200, null]);
    later(12 * HOUR_MS + 60_000);
    expect(await http.get('/console/session', { cookie })).toMatchObject({ status: 401 });
  });

  it('gets the current scopes of its client at each renewal', async () => {
    const { cookie } = await signedIn();
    const narrowed = ['shops:read'];
    await api.database.pool.query('UPDATE api_clients SET scopes = $2 WHERE client_id = $1', [clientId, narrowed]);
    later(HOUR_MS * 0.75);
    const { body } = await http.get<Answer>('/console/session', { cookie });
    await api.database.pool.query('UPDATE api_clients SET scopes = $2 WHERE client_id = $1', [clientId, [...SCOPES]]);
    expect(body.data.scopes).toEqual(narrowed);
  });

  it('ends when its client is revoked', async () => {
    const { id, secret } = await insertClient(api.database);
    const { cookie } = await signedIn({ client_id: id, client_secret: secret });
    await api.get(ApiClientsService).revoke(id);
    await eventually(async () => (await http.get('/console/session', { cookie })).status === 401);
  });

  it('ends with the secret of its start, without renewal; one of the new secret continues', async () => {
    const { id, secret } = await insertClient(api.database);
    const { cookie } = await signedIn({ client_id: id, client_secret: secret });
    const { clientSecret: next } = await api.get(ApiClientsService).rotateSecret(id, 0, COMMAND_LINE);
    const fresh = await signedIn({ client_id: id, client_secret: next });
    await isOver(cookie);
    expect(await http.get('/shops', { cookie: fresh.cookie })).toMatchObject({ status: 200 });
    later(HOUR_MS * 0.75);
    const renewed = await http.get('/console/session', { cookie: fresh.cookie });
    expect([renewed.status, renewed.headers.get('set-cookie')]).toEqual([200, expect.stringContaining('Max-Age')]);
    expect(await http.get('/console/session', { cookie })).toMatchObject({ status: 401 });
  });

  it('of an older release, without a secret tag, ends without renewal', async () => {
    const { keys, jwt } = { keys: api.get(SigningKeys).current, jwt: api.get(JwtService) };
    const { cookie } = await signedIn();
    const { secret_tag: tag, ...claims } = decodeJwt<{ secret_tag: string }>(cookie.split('=')[1]!);
    expect(tag).toMatch(/^[\w-]{22}$/);
    const token = jwt.sign(claims, { privateKey: keys.signing, algorithm: keys.algorithm, keyid: keys.id });
    later(HOUR_MS * 0.75);
    const answer = await http.get('/console/session', { cookie: `payments_session=${token}` });
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null]);
  });

  const leave = (cookie: string) => http.delete('/console/session', undefined, { cookie });
  const isOver = (cookie: string): Promise<unknown> =>
    eventually(async () => (await http.get('/shops', { cookie })).status === 401);

  it('leaves the browser at sign-out', async () => {
    const { cookie } = await signedIn();
    const { status, headers } = await leave(cookie);
    expect(status).toBe(204);
    expect(headers.get('set-cookie')).toMatch(/^payments_session=; Path=\/; Max-Age=0; HttpOnly; SameSite=Strict$/);
  });

  it('ends at sign-out for every copy of its cookie; other sessions of the client continue', async () => {
    const { cookie } = await signedIn();
    const other = await signedIn();
    await leave(cookie);
    await isOver(cookie);
    const token = cookie.split('=')[1]!;
    expect(await http.get('/shops', { authorization: `Bearer ${token}` })).toMatchObject({ status: 401 });
    expect(await http.get('/shops', { cookie: other.cookie })).toMatchObject({ status: 200 });
  });

  it('ends at sign-out together with its earlier and later tokens', async () => {
    const { cookie: first } = await signedIn();
    later(HOUR_MS * 0.75);
    const second = cookieOf((await http.get('/console/session', { cookie: first })).headers);
    expect(second).not.toBe(first);
    await leave(first);
    await Promise.all([isOver(first), isOver(second)]);
  });

  it('accepts a second sign-out, and one of an expired or unknown session', async () => {
    const { cookie } = await signedIn();
    for (const each of [cookie, cookie, 'payments_session=nonsense', 'payments_session=']) {
      expect(await leave(each)).toMatchObject({ status: 204 });
    }
    later(13 * HOUR_MS);
    expect(await leave(cookie)).toMatchObject({ status: 204 });
  });

  it('reports a failed sign-out if it could not be stored', async () => {
    const { cookie } = await signedIn();
    await api.database.pool.query('ALTER TABLE ended_sessions RENAME TO elsewhere');
    try {
      const { status, headers } = await leave(cookie);
      expect([status, headers.get('set-cookie')]).toEqual([500, null]);
    } finally {
      await api.database.pool.query('ALTER TABLE elsewhere RENAME TO ended_sessions');
    }
  });

  it('disappears from the ended sessions after its regular end', async () => {
    const ended = async (): Promise<number> =>
      (await api.database.pool.query('SELECT FROM ended_sessions')).rowCount ?? 0;
    const { cookie } = await signedIn();
    await leave(cookie);
    const before = await ended();
    later(13 * HOUR_MS);
    const { cookie: next } = await signedIn();
    await leave(next);
    expect([before > 0, await ended()]).toEqual([true, 1]);
  });

  it('of another key or issuer ends no session', async () => {
    const { cookie } = await signedIn();
    const [header, claims] = cookie.split('=')[1]!.split('.');
    await leave(`payments_session=${header}.${claims}.${'A'.repeat(43)}`);
    const { rowCount } = await api.database.pool.query('SELECT FROM ended_sessions WHERE over_at > now()');
    await leave(cookie);
    const after = await api.database.pool.query('SELECT FROM ended_sessions WHERE over_at > now()');
    expect(after.rowCount).toBe(rowCount! + 1);
  });
});
