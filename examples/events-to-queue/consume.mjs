// Gives every event of your merchant to a queue, also after a crash. Start one process: `node consume.mjs`.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

const { BASE, CLIENT_ID, CLIENT_SECRET, TYPES, CURSOR_FILE = 'cursor', QUEUE = './file-queue.mjs' } = process.env;
const { openQueue } = await import(QUEUE);

/** A token of the client, which lasts for an hour. */
async function newToken() {
  const authorization = `Basic ${Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64')}`;
  const body = new URLSearchParams({ grant_type: 'client_credentials', scope: 'webhooks:read' });
  const answer = await fetch(new URL('/auth/token', BASE), { method: 'POST', headers: { authorization }, body });
  if (!answer.ok) throw new Error(`no token: ${answer.status}`);
  return (await answer.json()).access_token;
}

let token;
/** The next events after the cursor; without one, from the first event that the service still has. */
async function pageAfter(cursor) {
  token ??= await newToken();
  const query = new URLSearchParams({ limit: '100', ...(cursor && { after: cursor }), ...(TYPES && { types: TYPES }) });
  const answer = await fetch(new URL(`/events?${query}`, BASE), { headers: { authorization: `Bearer ${token}` } });
  if (answer.status === 401) token = undefined;
  if (!answer.ok) throw new Error(`no events: ${answer.status}`);
  return answer.json();
}

const queue = await openQueue();
let cursor = await readFile(CURSOR_FILE, 'utf8').catch(() => undefined);
for (;;) {
  try {
    const { data, pagination } = await pageAfter(cursor);
    // each is stored before the cursor moves: a crash in between repeats events, and loses none
    for (const event of data) await queue.publish(event);
    cursor = pagination.next_cursor;
    await writeFile(`${CURSOR_FILE}.new`, cursor, { flush: true });
    await rename(`${CURSOR_FILE}.new`, CURSOR_FILE);
    if (!pagination.has_more) await pause(1_000);
  } catch (error) {
    console.error(`trying again in 5 seconds: ${error.message}`);
    await pause(5_000);
  }
}
