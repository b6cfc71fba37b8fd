import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LogEntry, ManagedProcess } from './managed-process.js';
import { DemoClient, type Payment, type Shop, type ShopStats, type Simulation } from './demo-client.js';
import { DemoReceiver, type ReceivedWebhook } from './demo-receiver.js';
import { formatStats, formatWebhook, print, printTitle } from './demo-output.js';

/** In milliseconds, instead of the real 10, 100 and 1000 seconds. */
const SCALED_RETRY_DELAYS_MS = [300, 600, 1_200];
const START_TIMEOUT_MS = 60_000;
const DELIVERY_TIMEOUT_MS = 15_000;
const FLAKY_PATH = '/flaky';
/** The flaky receiver fails each delivery this many times before it accepts it. */
const FLAKY_FAILURES = 2;

/** The sandbox account of each shop. A token is valid in one account. */
const ACCOUNTS = { Berlin: 'one', Paris: 'two', Madrid: 'two' };

/** A payer with a token in both accounts: `token` in account one, `inTwo` in account two. */
interface Payer {
  flow?: string;
  token: string;
  inTwo?: string;
}

const MOVED: Payer = { flow: 'careful', token: 'tok_soft_decline', inTwo: 'tok_success' };

/** Runs the demo on a new service; returns whether every webhook was delivered and verified. */
export async function runDemo(): Promise<boolean> {
  const dataDir = await mkdtemp(join(tmpdir(), 'payment-demo-'));
  await chmod(dataDir, 0o711); // for root, PostgreSQL runs as another account, which must have access
  const client = { id: 'demo', secret: randomBytes(24).toString('base64url') };
  const secrets = new Map<number, string>();
  const receiver = await DemoReceiver.start({
    secretOf: (shopId) => secrets.get(shopId),
    answer: (path, attempt) => (path === FLAKY_PATH && attempt <= FLAKY_FAILURES ? 500 : 200),
    onWebhook: (webhook) => print(formatWebhook(webhook)),
  });
  try {
    printTitle('Starting the service with its embedded defaults');
    const service = startService(dataDir, client);
    try {
      const showProgress = startProgress(service);
      await service.ready(START_TIMEOUT_MS, () => {
        showProgress();
        return [service.address('api'), service.address('worker')];
      });
      const url = service.address('api')!;
      print(`API and Swagger UI   ${url}/docs`);
      print(`webhook receiver     ${receiver.url}, verifies every signature`);
      print(`retry delays         ${SCALED_RETRY_DELAYS_MS.join(', ')} ms here, instead of 10, 100 and 1000 s`);
      return await runScenario(await DemoClient.login(url, client.id, client.secret), receiver, secrets);
    } finally {
      await service.stop();
    }
  } finally {
    await receiver.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function startService(dataDir: string, client: { id: string; secret: string }): ManagedProcess {
  const env = {
    DATA_DIR: dataDir,
    PORT: '0',
    WORKER_PORT: '0',
    BOOTSTRAP_CLIENT_ID: client.id,
    BOOTSTRAP_CLIENT_SECRET: client.secret,
    WEBHOOK_RETRY_DELAYS_MS: SCALED_RETRY_DELAYS_MS.join(','),
  };
  const main = fileURLToPath(new URL('../../main-all.js', import.meta.url));
  return ManagedProcess.spawn({ name: 'the service', args: [main], env });
}

/** The log lines of a start that the demo shows, and its text for each. */
const START_STEPS: Record<string, (entry: LogEntry) => string> = {
  'starting the embedded PostgreSQL': () => 'starting PostgreSQL, in a temporary folder',
  'applying migrations': () => 'PostgreSQL is up, creating the tables',
  listening: ({ process }) => (process === 'api' ? 'the API is up' : 'the worker is up'),
};

/** Prints each step of the start when it is in the log: on a slow machine a start takes half a minute. */
function startProgress(service: ManagedProcess): () => void {
  let shown = 0;
  return () => {
    const steps = service.entries(...Object.keys(START_STEPS));
    for (const step of steps.slice(shown)) print(START_STEPS[step.msg]!(step));
    shown = steps.length;
  };
}

async function runScenario(api: DemoClient, receiver: DemoReceiver, secrets: Map<number, string>): Promise<boolean> {
  const notificationSecret = randomBytes(16).toString('hex');
  const shops = await createShops(api, secrets, notificationSecret);
  await createFlows(api, shops);
  await simulate(api);

  printTitle('Payments');
  const paid = await pay(api, { token: 'tok_success' }, `${receiver.url}/merchant`);
  const declined = await pay(api, { token: 'tok_decline' }, `${receiver.url}/merchant`);
  const waiting = await pay(api, { token: 'tok_async_success' }, `${receiver.url}/merchant`);
  const retried = await pay(api, { token: 'tok_success' }, receiver.url + FLAKY_PATH);
  const moved = await pay(api, MOVED, `${receiver.url}/merchant`);
  print(`payment ${moved.id} was declined in account one, and has a token in account two`);

  const expected = [paid, declined, waiting, retried, moved].length * 2;
  print(`payment ${waiting.id} waits for a notification, which the sandbox sends by itself`);
  const failures = await waitForDeliveries(receiver, expected);
  await printTransaction(api, waiting.id);
  await printStats(api, retried.shop.id);
  printTitle('Result');
  const problems = [...failures, ...check(receiver, expected)];
  for (const problem of problems) print(`✗ ${problem}`);
  if (problems.length === 0) {
    print(
      `✓ ${expected} webhooks delivered in ${receiver.received.length} attempts, every signature verified, every retry byte for byte identical`,
    );
  }
  return problems.length === 0;
}

async function createShops(api: DemoClient, secrets: Map<number, string>, notificationSecret: string): Promise<Shop[]> {
  printTitle('Three shops in two accounts, and two flows');
  const shops: Shop[] = [];
  for (const [name, account] of Object.entries(ACCOUNTS)) {
    const shop = await api.post<Shop>('/shops', {
      name,
      provider_credentials: { account, notification_secret: notificationSecret },
    });
    secrets.set(shop.id, shop.webhook_secret);
    shops.push(shop);
    print(`shop ${shop.id} ${name} in account ${account}, webhook secret ${shop.webhook_secret.slice(0, 10)}…`);
  }
  return shops;
}

async function createFlows(api: DemoClient, shops: Shop[]): Promise<void> {
  const names = shops.map((shop) => shop.name).join(', ');
  const flow = await api.post<{ id: number }>('/flows', {
    name: 'checkout',
    strategy: 'round_robin',
    shops: shops.map((shop) => ({ shop_id: shop.id })),
  });
  print(`flow ${flow.id} checkout: round_robin over ${names}`);
  const careful = await api.post<{ id: number }>('/flows', {
    name: 'careful',
    strategy: 'priority',
    max_attempts: 2,
    shops: shops.map((shop, priority) => ({ shop_id: shop.id, priority })),
  });
  print(`flow ${careful.id} careful: ${names} by priority; after a soft decline the next one is tried`);
}

async function simulate(api: DemoClient): Promise<void> {
  printTitle('Simulation: which shop would be next? (changes nothing)');
  for (let run = 1; run <= 2; run++) {
    const { result } = await api.post<Simulation>('/flows/simulate', {
      flow_name: 'checkout',
      amount: 49.9,
      currency: 'EUR',
    });
    print(
      `run ${run}: ${result.primary_shop.shop_name}, counter ${result.current_counter} → ${result.next_counter} in a real payment`,
    );
  }
  const available = await api.post<boolean>('/flows/simulate', { flow_name: 'checkout', simple: true });
  print(`simple: ${available}`);
}

async function pay(api: DemoClient, { flow = 'checkout', token, inTwo = token }: Payer, endpoint: string) {
  const payment = await api.post<Payment>('/payments', {
    flow_name: flow,
    amount: 49.9,
    currency: 'EUR',
    country: 'DE',
    customer: { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' },
    payment_method: {
      options: [
        { provider: 'sandbox', account: 'one', token: `${token}@one` },
        { provider: 'sandbox', account: 'two', token: `${inTwo}@two` },
      ],
    },
    webhook_endpoint: endpoint,
    metadata: { token },
  });
  print(`payment ${payment.id} ${token} → ${payment.shop.name}: ${payment.status}`);
  return payment;
}

async function waitForDeliveries(receiver: DemoReceiver, expected: number): Promise<string[]> {
  const accepted = () => receiver.received.filter((webhook) => webhook.answeredWith === 200).length;
  for (const end = Date.now() + DELIVERY_TIMEOUT_MS; accepted() < expected; await sleep(50)) {
    if (Date.now() > end)
      return [`${accepted()} of ${expected} webhooks arrived within ${DELIVERY_TIMEOUT_MS / 1_000} s`];
  }
  return [];
}

/** Prints the sandbox's transaction of the payment that it completed by itself. */
async function printTransaction(api: DemoClient, paymentId: number): Promise<void> {
  const transactions = await api.get<{ status: string; amount: string; currency: string }[]>(
    `/providers/sandbox/transactions?payment_id=${paymentId}`,
  );
  for (const { status, amount, currency } of transactions) {
    print(`the sandbox's transaction of payment ${paymentId}: ${status} ${amount} ${currency}`);
  }
}

async function printStats(api: DemoClient, shopId: number): Promise<void> {
  const isDelivered = (stats: ShopStats) => stats.recent_webhooks.every((webhook) => webhook.status !== 'pending');
  let stats = await api.get<ShopStats>(`/webhooks/shop/${shopId}/stats`);
  for (let tries = 0; tries < 40 && !isDelivered(stats); tries++) {
    await sleep(50); // the receiver gets a webhook a moment before the service records it
    stats = await api.get<ShopStats>(`/webhooks/shop/${shopId}/stats`);
  }
  printTitle(`Statistics of shop ${shopId}`);
  for (const line of formatStats(stats)) print(line);
}

function check(receiver: DemoReceiver, expected: number): string[] {
  const problems: string[] = [];
  const byDelivery = groupByDelivery(receiver.received);
  if (byDelivery.size !== expected) problems.push(`${byDelivery.size} deliveries instead of ${expected}`);
  for (const [id, attempts] of byDelivery) {
    if (attempts.some((attempt) => attempt.event === null)) problems.push(`delivery ${id} had a wrong signature`);
    if (new Set(attempts.map((attempt) => attempt.bodyHash)).size > 1)
      problems.push(`delivery ${id} changed its body between attempts`);
    const expectedAttempts = attempts[0]!.path === FLAKY_PATH ? FLAKY_FAILURES + 1 : 1;
    if (attempts.length !== expectedAttempts)
      problems.push(`delivery ${id} took ${attempts.length} attempts instead of ${expectedAttempts}`);
  }
  return problems;
}

function groupByDelivery(webhooks: ReceivedWebhook[]): Map<string, ReceivedWebhook[]> {
  const groups = new Map<string, ReceivedWebhook[]>();
  for (const webhook of webhooks) groups.set(webhook.deliveryId, [...(groups.get(webhook.deliveryId) ?? []), webhook]);
  return groups;
}
