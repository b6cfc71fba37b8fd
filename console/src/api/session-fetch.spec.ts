import { describe, expect, it } from '@jest/globals';
import { withSession } from './session-fetch';

const REFUSED = { code: 'csrf_token_invalid', success: false };

interface Now {
  identity: string | null;
  token: string;
}

/** A page whose requests get these answers one after the other; `onRefresh` sets the session that the server then reports. */
function pageWith(answers: ((now: Now) => Response)[], onRefresh: (now: Now) => void = () => undefined) {
  const now: Now = { identity: 'ada', token: 'old' };
  const sent: { token: string | null; body: string }[] = [];
  let refreshes = 0;
  let refusedWrites = 0;
  const refresh = (): Promise<void> => {
    refreshes++;
    onRefresh(now);
    return Promise.resolve();
  };
  const send = withSession(
    {
      csrfToken: () => now.token,
      identity: () => now.identity,
      refresh,
      noteRefusedWrite: () => refusedWrites++,
    },
    async (request): Promise<Response> => {
      sent.push({ token: request.headers.get('x-csrf-token'), body: await request.text() });
      return answers[sent.length - 1]!(now);
    },
  );
  const patch = () => send(new Request('http://api.test/shops/1', { method: 'PATCH', body: '{"name":"Berlin"}' }));
  return { patch, sent, refreshes: () => refreshes, refusedWrites: () => refusedWrites };
}

const ok = () => Response.json({ data: { id: 1 } });
const refused = () => Response.json(REFUSED, { status: 403 });

describe('withSession', () => {
  it('sends the same request again when another tab has extended the session', async () => {
    const { patch, sent } = pageWith([refused, ok], (now) => (now.token = 'new'));
    expect((await patch()).status).toBe(200);
    const body = '{"name":"Berlin"}';
    expect(sent).toEqual([
      { token: 'old', body },
      { token: 'new', body },
    ]);
  });

  it('sends no request again on behalf of another user', async () => {
    const { patch, sent } = pageWith([refused, ok], (now) => (now.identity = 'bob'));
    expect(await (await patch()).json()).toMatchObject({ code: 'session_changed' });
    expect(sent).toHaveLength(1);
  });

  it('sends a request at most twice', async () => {
    const { patch, sent } = pageWith([refused, refused]);
    expect(await (await patch()).json()).toEqual(REFUSED);
    expect(sent).toHaveLength(2);
  });

  it('asks the server who is signed in when the API answers 401', async () => {
    const { patch, refreshes } = pageWith([() => Response.json({ code: 'unauthorized' }, { status: 401 })]);
    expect((await patch()).status).toBe(401);
    expect(refreshes()).toBe(1);
  });

  it('returns a refusal for another reason unchanged', async () => {
    const problem = { code: 'insufficient_scope' };
    const { patch, refreshes } = pageWith([() => Response.json(problem, { status: 403 })]);
    expect(await (await patch()).json()).toEqual(problem);
    expect(refreshes()).toBe(0);
  });

  it('withholds an answer that was meant for the user before', async () => {
    const { patch } = pageWith([
      (now) => {
        now.identity = 'bob';
        return ok();
      },
    ]);
    const answer = await patch();
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'session_changed' }]);
  });
});
