// Posts to receivers in a closed loop, by the service's client of a given build or by undici's pool alone.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BlockList } from 'node:net';
import { Pool } from 'undici';
import { serve } from '../support/remote.js';
import type { OutboundHttp as Client } from '../../src/platform/outbound/outbound-http.service.js';
import { SystemClock } from '../../src/shared/clock.js';

export interface PostLoad {
  /** One per origin. */
  urls: string[];
  inFlight: number;
  posts: number;
}

export interface PostRate {
  perSecond: number;
  cpuMicroseconds: number;
}

type Post = (url: string) => Promise<unknown>;

const BODY = JSON.stringify({ type: 'payment.paid', filler: 'x'.repeat(1_150) });
const HEADERS = { 'content-type': 'application/json', 'webhook-id': '1', 'webhook-timestamp': '1700000000' };
const TIMEOUT_MS = 3_000;
const noNames = { resolve: () => Promise.reject(new Error('addresses need no resolver')) };
let outbound: Post | undefined;
const pools = new Map<string, Pool>();

async function load(dist: string): Promise<Post> {
  const file = pathToFileURL(join(dist, 'platform', 'outbound', 'outbound-http.service.js')).href;
  const { OutboundHttp } = (await import(file)) as { OutboundHttp: typeof Client };
  const allowed = new BlockList();
  allowed.addSubnet('127.0.0.0', 8, 'ipv4');
  const config = { webhookAllowedNetworks: allowed, webhookRequireHttps: false };
  const client = new OutboundHttp(config, new SystemClock(), noNames);
  return async (url) => {
    const { error } = await client.post({ url, body: BODY, headers: HEADERS, timeoutMs: TIMEOUT_MS });
    if (error !== null) throw new Error(error);
  };
}

function postBare(url: string): Promise<unknown> {
  const { origin, pathname } = new URL(url);
  let pool = pools.get(origin);
  if (pool === undefined) pools.set(origin, (pool = new Pool(origin, { connections: 128 })));
  return new Promise((resolve, reject) => {
    pool.dispatch(
      { method: 'POST', path: pathname, headers: HEADERS, body: BODY },
      {
        onRequestStart: () => undefined,
        onResponseStart: () => undefined,
        onResponseData: () => undefined,
        onResponseEnd: resolve,
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}

async function run(post: Post, { urls, inFlight, posts }: PostLoad): Promise<PostRate> {
  let next = 0;
  const postOn = async (): Promise<void> => {
    for (let number = next++; number < posts; number = next++) await post(urls[number % urls.length]!);
  };
  const [startedMs, cpu] = [performance.now(), process.cpuUsage()];
  await Promise.all(Array.from({ length: inFlight }, postOn));
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: (posts * 1_000) / (performance.now() - startedMs), cpuMicroseconds: (user + system) / posts };
}

const offer = {
  outbound: async (dist: string, load_: PostLoad): Promise<PostRate> => run((outbound ??= await load(dist)), load_),
  bare: (load_: PostLoad): Promise<PostRate> => run(postBare, load_),
};
export type PosterOffer = typeof offer;

serve(offer);
