import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

const PATH = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';
const REREAD_MS = 5_000;
const LOOPBACK = ['127.0.0.1', '::1'];

/** Names that need no DNS: those of the hosts file, read again when 5 s have passed, and `localhost`. */
export class HostsFile {
  private names = new Map<string, string[]>();
  private readAt = -Infinity;

  constructor(private readonly path = PATH) {}

  /** The addresses of a lower-case name, or `undefined` when DNS is to be asked. */
  addressesOf(host: string): string[] | undefined {
    if (performance.now() - this.readAt > REREAD_MS) this.read();
    // RFC 6761, 6.3: never ask DNS for localhost or a name below it
    return this.names.get(host) ?? (host === 'localhost' || host.endsWith('.localhost') ? LOOPBACK : undefined);
  }

  // Synchronous on purpose: it is a page of text every 5 s, and an asynchronous read could wait for libuv's threads.
  private read(): void {
    this.readAt = performance.now();
    try {
      this.names = parseHosts(readFileSync(this.path, 'utf8'));
    } catch {
      this.names = new Map(); // no such file, or unreadable: DNS alone
    }
  }
}

/** hosts(5): an address, then its names; `#` begins a comment. A name may stand on several lines. */
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
