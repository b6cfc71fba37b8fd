import { Resolver } from 'node:dns/promises';
import { LRUCache } from 'lru-cache';
import { HostsFile } from './hosts-file.js';

/** How names become addresses; injected so that tests can play DNS servers that rebind, lie or hang. */
export abstract class HostResolver {
  /** All IPv4 and IPv6 addresses of a name, at least one. Rejects with an error that has a `code` such as `ENOTFOUND`. */
  abstract resolve(host: string): Promise<string[]>;
}

const CACHED_NAMES = 5_000;
const CACHE_MS = 5_000;
/** After one family's answer, how long the other's may take: some servers never answer for AAAA (RFC 8305, 3). */
const OTHER_FAMILY_GRACE_MS = 100;
/** c-ares doubles the timeout on each try, so a lost packet is repeated after 0.7 s and again after 2.1 s. */
const RESOLVER = { timeout: 700, tries: 3 };
/** A new resolver reads `resolv.conf` again. */
const RESOLVER_MAX_AGE_MS = 60_000;

/**
 * The hosts file, then DNS by c-ares, which waits on a socket of its own: `dns.lookup` would wait on one of libuv's four
 * threads, where four names that hang stop every lookup, file read and compression of the process. Names are asked as
 * they stand: no search domains, no mDNS. Concurrent lookups of a name are one, and answers are kept for 5 s.
 */
export class SystemHostResolver extends HostResolver {
  private readonly cache = new LRUCache<string, string[]>({ max: CACHED_NAMES, ttl: CACHE_MS });
  private readonly running = new Map<string, Promise<string[]>>();
  private readonly hosts = new HostsFile();
  private resolver: Resolver | undefined;
  private resolverSince = 0;

  /** `servers`: `address:port` of DNS servers to ask instead of the system's. */
  constructor(private readonly servers?: string[]) {
    super();
  }

  override resolve(host: string): Promise<string[]> {
    const cached = this.cache.get(host);
    if (cached !== undefined) return Promise.resolve(cached);
    const running = this.running.get(host);
    if (running !== undefined) return running;
    const lookup = this.lookup(host).finally(() => this.running.delete(host));
    this.running.set(host, lookup);
    return lookup;
  }

  private async lookup(host: string): Promise<string[]> {
    const addresses = this.hosts.addressesOf(host) ?? (await this.ask(host));
    this.cache.set(host, addresses);
    return addresses;
  }

  private async ask(host: string): Promise<string[]> {
    const resolver = this.currentResolver();
    const ipv4 = settled(resolver.resolve4(host));
    const ipv6 = settled(resolver.resolve6(host));
    const first = await Promise.race([ipv4, ipv6]);
    const both = Promise.all([ipv4, ipv6]);
    const answers =
      first.addresses.length === 0 ? await both : ((await within(both, OTHER_FAMILY_GRACE_MS)) ?? [first]);
    const addresses = answers.flatMap((answer) => answer.addresses);
    if (addresses.length === 0) throw answers.find((answer) => answer.error !== undefined)?.error ?? noAddress();
    return addresses;
  }

  private currentResolver(): Resolver {
    const now = performance.now();
    if (this.resolver !== undefined && now - this.resolverSince < RESOLVER_MAX_AGE_MS) return this.resolver;
    this.resolver = new Resolver(RESOLVER);
    if (this.servers !== undefined) this.resolver.setServers(this.servers);
    this.resolverSince = now;
    return this.resolver;
  }
}

interface Answer {
  addresses: string[];
  error?: Error;
}

const settled = (query: Promise<string[]>): Promise<Answer> =>
  query.then(
    (addresses) => ({ addresses }),
    (error: unknown) => ({ addresses: [], error: error instanceof Error ? error : noAddress() }),
  );

async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), ms)));
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

const noAddress = (): Error => Object.assign(new Error('the name has no address'), { code: 'ENODATA' });
