// Every key, as docs/operate/key-rotation.md has it: what takes an hour there is not waited for, as the only client asks for a new
// token by itself.
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiClient } from '../../chaos/client.js';
import type { RehearsalHarness } from '../harness.js';
import type { Say } from '../step-key.js';

/** For which webhooks carry a signature with the old secret, too. */
const OVERLAP_S = 5;
/** What was claimed before the end of the overlap may still be under way. */
const UNDER_WAY_MS = 5_000;

export async function rotateKeys(harness: RehearsalHarness, say: Say): Promise<void> {
  const { fleet, client, keys } = harness;
  const { token: oldToken, credentials: oldCredentials } = client;
  const stages = keys.rotate();
  await fleet.roll(stages.behind);
  say('every process knows the new JWT_SECRET, JWT_PRIVATE_KEY and ENCRYPTION_KEY');
  await fleet.roll(stages.inFront);
  say('every process signs and seals with them');
  await reencrypt(harness, say);
  await rotateWebhookSecrets(harness, say);
  await rotateClientSecret(harness, say);
  await fleet.roll(stages.alone);
  say('no process knows the old ones');
  await refusesOld(harness, oldToken, oldCredentials);
}

interface Reencrypted {
  reencrypted: number;
  unreadable: unknown[];
  keys: { current: boolean; droppable: boolean }[];
}

async function reencrypt({ fleet, findings }: RehearsalHarness, say: Say): Promise<void> {
  const answer = await fleet.cli('secrets:reencrypt', '--json');
  const { reencrypted, unreadable, keys } = JSON.parse(answer) as Reencrypted;
  const isDone = unreadable.length === 0 && keys.every(({ current, droppable }) => current || droppable);
  if (!isDone) findings.add('old ENCRYPTION_KEY still needed', answer);
  say(`${reencrypted} secrets re-encrypted`);
}

/** The receivers know the new secret before anything is signed with it, and forget the old one when its overlap is over. */
async function rotateWebhookSecrets(harness: RehearsalHarness, say: Say): Promise<void> {
  const { client, databases, receivers, findings } = harness;
  const shops = await databases.query<{ id: number }>('SELECT id FROM shops ORDER BY id');
  for (const { id } of shops) {
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    await receivers.call('trust', id, secret);
    const json = { webhook_secret: secret, overlap_seconds: OVERLAP_S };
    const { status, body } = await client.call('rotate', 'POST', `/shops/${id}/webhook-secret/rotate`, { json });
    if (status !== 200) findings.add('webhook secret not rotated', `shop ${id}: ${status} ${JSON.stringify(body)}`);
  }
  await delay(OVERLAP_S * 1_000 + UNDER_WAY_MS);
  for (const { id } of shops) await receivers.call('distrustOlder', id);
  say(`the webhook secrets of ${shops.length} shops replaced, the old ones forgotten by the receivers`);
}

async function rotateClientSecret({ fleet, client }: RehearsalHarness, say: Say): Promise<void> {
  const answer = await fleet.cli('client:rotate-secret', client.credentials.id, '--json');
  const { client_secret: secret } = JSON.parse(answer) as { client_secret: string };
  client.credentials = { ...client.credentials, secret };
  await client.login();
  say("the client's secret and its access token replaced");
}

async function refusesOld(
  { client, findings }: RehearsalHarness,
  token: string,
  credentials: ApiClient['credentials'],
): Promise<void> {
  const stranger = new ApiClient(client.url, { credentials });
  try {
    stranger.token = token;
    const { status } = await stranger.call('old token', 'GET', '/shops', { expected: [401] });
    if (status !== 401) findings.add('a token of a withdrawn key is taken', `GET /shops answers ${status}`);
    const isTaken = await stranger.login().then(
      () => true,
      () => false,
    );
    if (isTaken) findings.add('a replaced client secret is taken', 'POST /auth/token answers 200');
  } finally {
    await stranger.close();
  }
}
