// Rotates every key as in docs/operate/key-rotation.md, without its waits of an hour, because the only client requests
// a new token by itself.
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiClient } from '../../chaos/client.js';
import type { RehearsalHarness } from '../harness.js';
import type { Say } from '../step-key.js';

/** How long webhooks also carry a signature with the old secret. */
const OVERLAP_S = 5;
/** Deliveries claimed before the end of the overlap may still be in flight. */
const IN_FLIGHT_MS = 5_000;

export async function rotateKeys(harness: RehearsalHarness, say: Say): Promise<void> {
  const { fleet, client, keys } = harness;
  const { token: oldToken, credentials: oldCredentials } = client;
  const stages = keys.rotate();
  await fleet.roll(stages.accepted);
  say('every process accepts the new JWT_SECRET, JWT_PRIVATE_KEY and ENCRYPTION_KEY');
  await fleet.roll(stages.used);
  say('every process signs and encrypts with them');
  await reencrypt(harness, say);
  await rotateWebhookSecrets(harness, say);
  await rotateClientSecret(harness, say);
  await fleet.roll(stages.only);
  say('no process accepts the old ones');
  await checkOldRefused(harness, oldToken, oldCredentials);
}

interface Reencrypted {
  reencrypted: number;
  unreadable: unknown[];
  keys: { current: boolean; droppable: boolean }[];
}

async function reencrypt({ fleet, violations }: RehearsalHarness, say: Say): Promise<void> {
  const answer = await fleet.cli('secrets:reencrypt', '--json');
  const { reencrypted, unreadable, keys } = JSON.parse(answer) as Reencrypted;
  const isDone = unreadable.length === 0 && keys.every(({ current, droppable }) => current || droppable);
  if (!isDone) violations.add('old ENCRYPTION_KEY still needed', answer);
  say(`${reencrypted} secrets re-encrypted`);
}

/**
 * The receivers trust the new secret before any signature uses it, and distrust the old one when its overlap is over.
 */
async function rotateWebhookSecrets(harness: RehearsalHarness, say: Say): Promise<void> {
  const { client, databases, receivers, violations } = harness;
  const shops = await databases.query<{ id: number }>('SELECT id FROM shops ORDER BY id');
  for (const { id } of shops) {
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    await receivers.call('trust', id, secret);
    const json = { webhook_secret: secret, overlap_seconds: OVERLAP_S };
    const { status, body } = await client.call('rotate', 'POST', `/shops/${id}/webhook-secret/rotate`, { json });
    if (status !== 200) violations.add('webhook secret not rotated', `shop ${id}: ${status} ${JSON.stringify(body)}`);
  }
  await delay(OVERLAP_S * 1_000 + IN_FLIGHT_MS);
  for (const { id } of shops) await receivers.call('removeOlderSecrets', id);
  say(`the webhook secrets of ${shops.length} shops were replaced, and the receivers no longer trust the old ones`);
}

async function rotateClientSecret({ fleet, client }: RehearsalHarness, say: Say): Promise<void> {
  const answer = await fleet.cli('client:rotate-secret', client.credentials.id, '--json');
  const { client_secret: secret } = JSON.parse(answer) as { client_secret: string };
  client.credentials = { ...client.credentials, secret };
  await client.login();
  say("the client's secret and its access token were replaced");
}

async function checkOldRefused(
  { client, violations }: RehearsalHarness,
  token: string,
  credentials: ApiClient['credentials'],
): Promise<void> {
  const oldClient = new ApiClient(client.url, { credentials });
  try {
    oldClient.token = token;
    const { status } = await oldClient.call('old token', 'GET', '/shops', { expected: [401] });
    if (status !== 401) violations.add('token of a withdrawn key accepted', `GET /shops answers ${status}`);
    const isAccepted = await oldClient.login().then(
      () => true,
      () => false,
    );
    if (isAccepted) violations.add('replaced client secret accepted', 'POST /auth/token answers 200');
  } finally {
    await oldClient.close();
  }
}
