import { describe, expect, it } from '@jest/globals';
import { AccessTokenCache, type TokenCall } from './access-tokens.js';
import { type ApiAnswer, ApiCallError } from './api-exchange.js';

const answer = (statusCode: number): ApiAnswer => ({ statusCode, headers: {}, body: Buffer.alloc(0) });
const MINUTE = 60_000;

/** A provider that issues t1, t2 …, each for an hour, and knows the last one. */
function setUp() {
  let now = 0;
  const issued: string[] = [];
  const sent: string[] = [];
  const cache = new AccessTokenCache({ now: () => new Date(now) });
  const issue: TokenCall['issue'] = () => {
    issued.push(`t${issued.length + 1}`);
    return Promise.resolve({ token: issued.at(-1)!, expiresInMs: 60 * MINUTE });
  };
  const call = (more: Partial<TokenCall> = {}, signal = new AbortController().signal) => {
    const send = (token: string) => {
      sent.push(token);
      return Promise.resolve(answer(token === issued.at(-1) ? 200 : 401));
    };
    return cache.call({ key: ['https://api.example', 'id', 'secret'], issue, send, ...more }, signal);
  };
  return { call, issued, sent, pass: (ms: number) => (now += ms) };
}

describe('AccessTokenCache', () => {
  it('shares a token, and the request for it, until its last minute', async () => {
    const { call, issued, sent, pass } = setUp();
    await Promise.all([call(), call()]);
    pass(59 * MINUTE - 1);
    await call();
    expect([issued, sent]).toEqual([['t1'], ['t1', 't1', 't1']]);
    pass(1);
    await call();
    expect([issued, sent.at(-1)]).toEqual([['t1', 't2'], 't2']);
  });

  it('keeps other tokens for other credentials', async () => {
    const { call, issued } = setUp();
    await call();
    await call({ key: ['https://api.example', 'id', 'other'] });
    await call({ key: ['https://api.example', 'idother'] });
    expect(issued).toEqual(['t1', 't2', 't3']);
  });

  it('renews a refused token once, for all callers', async () => {
    const { call, issued, sent } = setUp();
    await call();
    issued.push('revoked by the provider');
    expect(await Promise.all([call(), call()])).toMatchObject([{ statusCode: 200 }, { statusCode: 200 }]);
    expect([issued.length, sent]).toEqual([3, ['t1', 't1', 't1', 't3', 't3']]);
    const refused = () => Promise.resolve(answer(401));
    expect(await call({ send: refused })).toMatchObject({ statusCode: 401 });
    expect(issued).toHaveLength(4);
  });

  it('keeps a refused token that was issued for the call', async () => {
    const { call, issued } = setUp();
    expect(await call({ send: () => Promise.resolve(answer(401)) })).toMatchObject({ statusCode: 401 });
    expect(issued).toEqual(['t1']);
  });

  it('says that nothing was sent if no token is issued, and asks again', async () => {
    const { call, issued } = setUp();
    const lost = { issue: () => Promise.reject(new ApiCallError(true, 'not answered in time')) };
    await expect(call(lost)).rejects.toMatchObject({ code: 'api_call_failed', sent: false });
    await expect(call({ issue: () => Promise.reject(new Error('wrong secret')) })).rejects.toThrow('wrong secret');
    expect(await call()).toMatchObject({ statusCode: 200 });
    expect(issued).toEqual(['t1']);
  });

  it('ends an aborted call, and not the request that another one waits for', async () => {
    const { call } = setUp();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const issue = async () => {
      await released;
      return { token: 't', expiresInMs: MINUTE };
    };
    const send = () => Promise.resolve(answer(200));
    const impatient = new AbortController();
    const aborted = call({ issue, send }, impatient.signal);
    const patient = call({ issue, send });
    impatient.abort();
    await expect(aborted).rejects.toMatchObject({ sent: false });
    release();
    expect(await patient).toMatchObject({ statusCode: 200 });
  });
});
