import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
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

/** Compilers may have to wait for their turn on the machine. */
const BUILD_TIMEOUT_MS = 300_000;
const root = fileURLToPath(new URL('../..', import.meta.url));
const vectorsFolder = join(root, 'packages/vectors');
const vectors = readdirSync(vectorsFolder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => ({ file, ...(JSON.parse(readFileSync(join(vectorsFolder, file), 'utf8')) as Vector) }))
  // the snippets know secrets alone
  .filter(({ secrets }) => secrets.every((secret) => !secret.startsWith('whpk_')));

const atHand = LANGUAGES.filter(isAtHand);
const missing = LANGUAGES.filter((language) => !atHand.includes(language));

/** The program of a snippet. */
class Snippet {
  private readonly process: ChildProcessWithoutNullStreams;
  private readonly waiting: ((line: string) => void)[] = [];
  private files = 0;

  constructor(
    private readonly folder: string,
    [command, ...args]: [string, ...string[]],
  ) {
    this.process = spawn(command, args);
    this.process.stderr.pipe(process.stderr);
    createInterface({ input: this.process.stdout }).on('line', (line) => this.waiting.shift()?.(line));
    this.process.on('close', () => this.waiting.splice(0).forEach((answer) => answer('ended')));
  }

  static async start(language: SnippetLanguage): Promise<Snippet> {
    const folder = await temporaryFolder();
    return new Snippet(folder, language.build(snippetOf(language), folder));
  }

  /** `headers`: names in lower case. */
  async verify(
    body: string | Buffer,
    headers: Record<string, string | undefined>,
    secrets: string[],
    now: number,
  ): Promise<Verdict> {
    const file = join(this.folder, `body-${++this.files}`);
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

describe('the snippets', () => {
  let api: TestApi;
  let client: ApiClient;
  let shop: ShopAnswer;
  let stops: (() => unknown)[] = [];

  beforeAll(async () => {
    const names = (languages: readonly SnippetLanguage[]) => languages.map(({ name }) => name).join(', ') || 'none';
    process.stdout.write(`snippets that run: ${names(atHand)}; without a runtime here: ${names(missing)}\n`);
    // a receiver of a busy machine is slow, and right all the same
    api = await startApi({ WEBHOOK_TIMEOUT_MS: '60000' });
    client = await api.login();
    shop = await new Merchant(client).createShop('takes snippets');
  });
  afterAll(() => api.stop());
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
    stops = [];
  });

  const conformanceOf = async (endpoint: string): Promise<Run> =>
    dataOf(await client.post(`/webhooks/shop/${shop.id}/conformance`, { webhook_endpoint: endpoint }));
  const failuresOf = ({ cases }: Run) => cases.filter(({ passed }) => !passed);

  it.each(LANGUAGES)('are there for $name', (language) => {
    expect(snippetOf(language)).toMatch(/webhook-signature/);
  });

  it.each(atHand)(
    'verify every vector in $name, and pass the conformance run',
    async (language) => {
      const snippet = await Snippet.start(language);
      stops.push(() => snippet.stop());
      const verdicts: Record<string, Verdict> = {};
      for (const { file, body, headers, secrets, now } of vectors) {
        verdicts[file] = await snippet.verify(body, inLowerCase(headers), secrets, now);
      }
      expect(verdicts).toEqual(
        Object.fromEntries(
          vectors.map(({ file, expected }) => [
            file,
            { isGenuine: expected.standard === null, isSigned: expected.signature === null },
          ]),
        ),
      );

      const handled = new Set<string>();
      const receiver = await startReceiver(async ({ body, headers }: ReceivedRequest) => {
        const now = Math.floor(Date.now() / 1_000);
        const { isGenuine } = await snippet.verify(body, headers as Record<string, string>, [shop.webhook_secret], now);
        if (!isGenuine) return 401;
        const id = String(headers['webhook-id']);
        if (handled.has(id)) return 208;
        handled.add(id);
        return 200;
      });
      stops.push(() => receiver.stop());
      expect(failuresOf(await conformanceOf(receiver.url))).toEqual([]);
    },
    BUILD_TIMEOUT_MS,
  );

  it('of README are a receiver for Express that passes the conformance run', async () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const [, code] = /<!-- receiver -->\n\n```js\n([^]*?)\n```/.exec(readme) ?? [];
    const folder = await temporaryFolder();
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'receiver.mjs'), code!);
    const port = await freePort();
    const env = { ...process.env, PORT: String(port), SHOP_ID: String(shop.id), WEBHOOK_SECRET: shop.webhook_secret };
    const express = spawn(process.execPath, ['receiver.mjs'], { cwd: folder, env });
    stops.push(() => express.kill());
    const lines: string[] = [];
    for (const stream of [express.stdout, express.stderr]) {
      createInterface({ input: stream }).on('line', (line) => lines.push(line));
    }
    await eventually(() => lines.includes('waiting for webhooks'));

    expect(failuresOf(await conformanceOf(`http://127.0.0.1:${port}/webhooks`))).toEqual([]);
    await eventually(() => lines.some((line) => line.startsWith('timestamp_too_old ')));
    await eventually(() => lines.includes('payment 0 is completed'));
    // the older event came later
    expect(lines).not.toContain('payment 0 is processing');
  });
});
