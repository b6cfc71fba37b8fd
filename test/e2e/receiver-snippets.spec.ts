import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../support/app/api-app.js';
import { type ApiClient } from '../support/app/api-client.js';
import { dataOf, Merchant, type ShopAnswer } from '../support/app/merchant.js';
import { eventually } from '../support/eventually.js';
import { type ReceivedRequest, startReceiver } from '../support/servers/receiver.js';
import { freePort } from '../support/servers/free-port.mjs';
import { temporaryFolder } from '../support/servers/servers.js';
import { isAtHand, LANGUAGES, type SnippetLanguage, snippetOf } from '../support/servers/snippets.js';

interface Vector {
  body: string;
  headers: Record<string, string>;
  secrets: string[];
  now: number;
  expected: Record<'standard' | 'signature', string | null>;
}

interface Verdict {
  isGenuine: boolean;
  isSigned: boolean;
}

/** Compilers may have to wait for the busy machine. */
const BUILD_TIMEOUT_MS = 300_000;
/**
 * A receiver on a busy machine is slow, but correct. The slow case waits for almost half of this timeout, and the whole
 * run ends after 25 s.
 */
const TIMEOUT_MS = 12_000;
const root = fileURLToPath(new URL('../..', import.meta.url));
const vectorsFolder = join(root, 'packages/vectors');
const vectors = readdirSync(vectorsFolder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => ({ file, ...(JSON.parse(readFileSync(join(vectorsFolder, file), 'utf8')) as Vector) }))
  // the snippets support secrets only, not public keys
  .filter(({ secrets }) => secrets.every((secret) => !secret.startsWith('whpk_')));

const atHand = LANGUAGES.filter(isAtHand);
const missing = LANGUAGES.filter((language) => !atHand.includes(language));

/** Secrets that every sender could know, and webhooks that are signed with them. */
const FORGED = ['', 'whsec_', `whsec_${Buffer.alloc(16, 7).toString('base64')}`].map((secret) => {
  const body = '{"event":"payment.status_changed"}';
  const now = 1_795_309_323;
  const mac = (key: string | Buffer, content: string) => createHmac('sha256', key).update(content).digest();
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const headers = {
    'webhook-id': 'whd_1',
    'webhook-timestamp': String(now),
    'webhook-signature': `v1,${mac(key, `whd_1.${now}.${body}`).toString('base64')}`,
    signature: mac(secret, body).toString('hex'),
  };
  return { secret, body, headers, now };
});

/** The running program of a snippet. */
class Snippet {
  private readonly process: ChildProcessWithoutNullStreams;
  private readonly waiting: ((line: string) => void)[] = [];
  private static files = 0;

  constructor(
    private readonly folder: string,
    private readonly program: [string, ...string[]],
  ) {
    const [command, ...args] = program;
    this.process = spawn(command, args);
    this.process.stderr.pipe(process.stderr);
    createInterface({ input: this.process.stdout }).on('line', (line) => this.waiting.shift()?.(line));
    this.process.on('close', () => this.waiting.splice(0).forEach((answer) => answer('ended')));
  }

  static async start(language: SnippetLanguage): Promise<Snippet> {
    const folder = await temporaryFolder();
    return new Snippet(folder, await language.build(snippetOf(language), folder));
  }

  /** Starts the same program again, because a program that ended takes no further requests. */
  another(): Snippet {
    return new Snippet(this.folder, this.program);
  }

  /** `headers` have names in lower case. */
  async verify(
    body: string | Buffer,
    headers: Record<string, string | undefined>,
    secrets: string[],
    now: number,
  ): Promise<Verdict> {
    const file = join(this.folder, `body-${++Snippet.files}`);
    writeFileSync(file, body);
    const given = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'signature'].map(
      (name) => headers[name] ?? '',
    );
    const line = await new Promise<string>((resolve) => {
      this.waiting.push(resolve);
      this.process.stdin.write(`${[file, ...given, secrets.join(','), now].join('\t')}\n`);
    });
    const [isGenuine, isSigned] = line.split(' ').map((word) => word === 'true');
    return { isGenuine: isGenuine!, isSigned: isSigned! };
  }

  stop(): void {
    this.process.kill();
  }
}

const inLowerCase = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

interface Run {
  passed: boolean;
  cases: { name: string; passed: boolean; advice: string | null }[];
}

/** The results of a language's snippet. */
interface Tried {
  verdicts: Record<string, Verdict>;
  failures: Run['cases'];
  /** The verdicts on webhooks that are signed with an empty or incomplete secret. */
  forged: Verdict[];
}

/** A shop with a merchant of its own, so that testers can run the cases concurrently. */
class Tester {
  private constructor(
    private readonly client: ApiClient,
    readonly shop: ShopAnswer,
  ) {}

  static async of(api: TestApi): Promise<Tester> {
    const client = await api.loginAsAnotherMerchant();
    return new Tester(client, await new Merchant(client).createShop('takes snippets'));
  }

  /** Returns the cases that the endpoint fails. */
  async failuresOf(endpoint: string): Promise<Run['cases']> {
    const body = { webhook_endpoint: endpoint };
    const { cases } = dataOf<Run>(await this.client.post(`/webhooks/shop/${this.shop.id}/conformance`, body));
    return cases.filter(({ passed }) => !passed);
  }
}

describe('the receiver snippets', () => {
  let api: TestApi;
  /** By the name of the language. All run at once, because the last case of a run is mostly waiting. */
  const tried = new Map<string, Promise<Tried>>();

  beforeAll(async () => {
    const names = (languages: readonly SnippetLanguage[]) => languages.map(({ name }) => name).join(', ') || 'none';
    process.stdout.write(`snippets that run: ${names(atHand)}; without a runtime here: ${names(missing)}\n`);
    api = await startApi({ WEBHOOK_TIMEOUT_MS: String(TIMEOUT_MS) });
    for (const language of atHand) {
      const running = tryOut(language);
      // the test of the language reports the error
      running.catch(() => undefined);
      tried.set(language.name, running);
    }
  });
  afterAll(async () => {
    await Promise.allSettled(tried.values());
    await api.stop();
  });

  async function tryOut(language: SnippetLanguage): Promise<Tried> {
    const snippet = await Snippet.start(language);
    const others = FORGED.map(() => snippet.another());
    try {
      const verdicts: Record<string, Verdict> = {};
      for (const { file, body, headers, secrets, now } of vectors) {
        verdicts[file] = await snippet.verify(body, inLowerCase(headers), secrets, now);
      }
      const forged = FORGED.map(({ body, headers, secret, now }, index) =>
        others[index]!.verify(body, headers, [secret], now),
      );
      return { verdicts, forged: await Promise.all(forged), failures: await failuresOf(snippet) };
    } finally {
      for (const each of [snippet, ...others]) each.stop();
    }
  }

  /** Returns the cases that a receiver with this snippet fails. */
  async function failuresOf(snippet: Snippet): Promise<Run['cases']> {
    const tester = await Tester.of(api);
    const handled = new Set<string>();
    const receiver = await startReceiver(async ({ body, headers }: ReceivedRequest) => {
      const now = Math.floor(Date.now() / 1_000);
      const secrets = [tester.shop.webhook_secret];
      const { isGenuine } = await snippet.verify(body, headers as Record<string, string>, secrets, now);
      if (!isGenuine) return 401;
      const id = String(headers['webhook-id']);
      if (handled.has(id)) return 208;
      handled.add(id);
      return 200;
    });
    try {
      return await tester.failuresOf(receiver.url);
    } finally {
      await receiver.stop();
    }
  }

  it.each(LANGUAGES)('exist for $name', (language) => {
    expect(snippetOf(language)).toMatch(/webhook-signature/);
  });

  it('include an Express receiver in README that passes the conformance run', async () => {
    const tester = await Tester.of(api);
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const [, code] = /<!-- receiver -->\n\n```js\n([^]*?)\n```/.exec(readme) ?? [];
    const folder = await temporaryFolder();
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'receiver.mjs'), code!);
    const port = await freePort();
    const shop = { [`WEBHOOK_SECRET_${tester.shop.id}`]: tester.shop.webhook_secret };
    const env = { ...process.env, PORT: String(port), ...shop };
    const express = spawn(process.execPath, ['receiver.mjs'], { cwd: folder, env });
    try {
      const lines: string[] = [];
      for (const stream of [express.stdout, express.stderr]) {
        createInterface({ input: stream }).on('line', (line) => lines.push(line));
      }
      await eventually(() => lines.includes('listening'));

      expect(await tester.failuresOf(`http://127.0.0.1:${port}/webhooks`)).toEqual([]);
      await eventually(() => lines.some((line) => line.startsWith('timestamp_too_old ')));
      await eventually(() => lines.includes('0 completed'));
    } finally {
      express.kill();
    }
  });

  it.each(atHand)(
    'verify every vector in $name, refuse insecure secrets and pass the conformance run',
    async ({ name }) => {
      const { verdicts, forged, failures } = await tried.get(name)!;
      expect(verdicts).toEqual(
        Object.fromEntries(
          vectors.map(({ file, expected }) => [
            file,
            { isGenuine: expected.standard === null, isSigned: expected.signature === null },
          ]),
        ),
      );
      expect(forged.filter(({ isGenuine, isSigned }) => isGenuine || isSigned)).toEqual([]);
      expect(failures).toEqual([]);
    },
    BUILD_TIMEOUT_MS,
  );
});
