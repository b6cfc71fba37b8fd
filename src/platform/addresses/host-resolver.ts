import { Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

/** Resolves names to addresses. Injected, so that tests can use DNS servers that rebind, lie or do not respond. */
export abstract class HostResolver {
  /** All IPv4 and IPv6 addresses of a name, at least one. Rejects with an error that has a `code` such as `ENOTFOUND`. */
  abstract resolve(host: string): Promise<string[]>;
}

const CACHED_NAMES = 5_000;
const CACHE_MS = 5_000;
/**
 * After the response for one address family, time to wait for the other: some servers never answer AAAA queries (RFC
 * 8305, 3).
 */
const OTHER_FAMILY_GRACE_MS = 100;
/** c-ares doubles the time-out with each try: a lost packet is sent again after 0.7 s and after 2.1 s. */
const RESOLVER = { timeout: 700, tries: 3 };

/**
 * Uses the hosts file, then DNS with c-ares, which waits on its own socket. `dns.lookup` would wait on one of libuv's
 * four threads: four slow names would block every lookup, file read and compression of the process. Names are looked up
 * unchanged: no search domains, no mDNS. Concurrent lookups of a name share one query, and results are kept for 5 s.
 *
 * Why not cacheable-lookup: it waits for both families, and falls back to `dns.lookup`.
 */
export class SystemHostResolver extends HostResolver {
  private readonly hosts = new HostsFile();
  private readonly cache = new LRUCache<string, string[]>({
    max: CACHED_NAMES,
    ttl: CACHE_MS,
    fetchMethod: (host) => this.hosts.addressesOf(host) ?? this.ask(host),
    ignoreFetchAbort: true, // a name that leaves the cache meanwhile is resolved anyway
  });

  /** `servers`: `address:port` of DNS servers to ask instead of the system's. */
  constructor(private readonly servers?: string[]) {
    super();
  }

  override resolve(host: string): Promise<string[]> {
    return this.cache.forceFetch(host);
  }

  private async ask(host: string): Promise<string[]> {
    const resolver = new Resolver(RESOLVER); // reads `resolv.conf`, 18 µs
    if (this.servers !== undefined) resolver.setServers(this.servers);
    const queries = [resolver.resolve4(host), resolver.resolve6(host)];
    const families: string[][] = [[], []];
    const all = Promise.allSettled(
      queries.map((query, family) => query.then((addresses) => (families[family] = addresses))),
    );
    const grace = () => sleep(OTHER_FAMILY_GRACE_MS);
    await Promise.race([all, Promise.any(queries).then(grace, () => all)]);
    const addresses = families.flat();
    return addresses.length > 0 ? addresses : queries[0]!; // both have failed: rejects
  }
}

const PATH = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';
const REREAD_MS = 5_000;
const LOOPBACK = ['127.0.0.1', '::1'];

/** Names that need no DNS: those of the hosts file, which is read again after 5 s, and `localhost`. */
export class HostsFile {
  private names = new Map<string, string[]>();
  private readAt = -Infinity;

  constructor(private readonly path = PATH) {}

  /** The addresses of a lower-case name; `undefined`: use DNS. */
  addressesOf(host: string): string[] | undefined {
    if (performance.now() - this.readAt > REREAD_MS) this.read();
    // RFC 6761, 6.3: never ask DNS for localhost or a name below it
    return this.names.get(host) ?? (host === 'localhost' || host.endsWith('.localhost') ? LOOPBACK : undefined);
  }

  // Synchronous on purpose: the file is small and read every 5 s, and an asynchronous read could wait for libuv's
  // threads.
  private read(): void {
    this.readAt = performance.now();
    try {
      this.names = parseHosts(readFileSync(this.path, 'utf8'));
    } catch (error) {
      // if it cannot be read now, for example without file descriptors, its names stay valid
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') this.names = new Map();
    }
  }
}

/** hosts(5): an address, then its names; `#` begins a comment. A name may be in several lines. */
export function parseHosts(text: string): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...aliases] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const alias of aliases.map((name) => name.toLowerCase())) {
      names.set(alias, [...new Set(names.get(alias)).add(address)]);
    }
  }
  return names;
}
