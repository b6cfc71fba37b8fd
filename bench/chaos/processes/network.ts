// The network between the product's processes and their PostgreSQL and Redis: TCP links that can be cut and slowed.
// While a link is a `hole`, nothing passes, not even the end of a connection; all of it arrives when the hole is over.
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { serve } from '../../support/remote.js';

export type LinkState = { kind: 'pass' } | { kind: 'slow'; latencyMs: number } | { kind: 'hole' } | { kind: 'refuse' };

type Segment = { dueAt: number } & ({ bytes: Buffer } | { ending: 'end' | 'reset' });

/** The sender is paused beyond this, as with a full TCP window. */
const MAX_UNDER_WAY = 4_000_000;

/** One direction of one connection. It keeps the order regardless of the latency. */
class Direction {
  private segments: Segment[] = [];
  private bytes = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly link: Link,
    private readonly from: Socket,
    private readonly to: Socket,
  ) {
    from.on('data', (bytes: Buffer) => this.take({ bytes, dueAt: this.dueAt() }));
    from.on('end', () => this.take({ ending: 'end', dueAt: this.dueAt() }));
    from.on('error', () => this.take({ ending: 'reset', dueAt: this.dueAt() }));
  }

  pump(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.link.state.kind === 'hole') return;
    while (this.segments.length > 0) {
      const wait = this.segments[0]!.dueAt - performance.now();
      if (wait > 0) {
        this.timer = setTimeout(() => this.pump(), wait);
        return;
      }
      this.deliver(this.segments.shift()!);
    }
  }

  private dueAt(): number {
    const { state } = this.link;
    return performance.now() + (state.kind === 'slow' ? state.latencyMs : 0);
  }

  private take(segment: Segment): void {
    this.segments.push(segment);
    if ('bytes' in segment) {
      this.bytes += segment.bytes.length;
      if (this.bytes > MAX_UNDER_WAY) this.from.pause();
    }
    this.pump();
  }

  private deliver(segment: Segment): void {
    if ('bytes' in segment) {
      this.bytes -= segment.bytes.length;
      if (this.from.isPaused() && this.bytes <= MAX_UNDER_WAY) this.from.resume();
      if (this.to.writable) this.to.write(segment.bytes);
    } else if (segment.ending === 'end') {
      if (this.to.writable) this.to.end();
    } else {
      this.to.resetAndDestroy();
    }
  }
}

class Link {
  state: LinkState = { kind: 'pass' };
  private server: Server | undefined;
  private readonly sockets = new Set<Socket>();
  private readonly directions = new Set<Direction>();

  constructor(
    private readonly port: number,
    private readonly targetPort: number,
  ) {}

  async listen(): Promise<void> {
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.join(socket));
    server.listen(this.port, '127.0.0.1');
    await once(server, 'listening');
    this.server = server;
  }

  async change(state: LinkState): Promise<void> {
    this.state = state;
    if (state.kind === 'refuse') {
      this.server?.close();
      this.server = undefined;
      this.reset();
      return;
    }
    if (!this.server) await this.listen();
    for (const direction of this.directions) direction.pump();
  }

  /** Resets both ends of every connection. */
  reset(): void {
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  private join(client: Socket): void {
    const target = connect({ port: this.targetPort, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    const ways = [new Direction(this, client, target), new Direction(this, target, client)];
    for (const way of ways) this.directions.add(way);
    for (const socket of [client, target]) {
      this.sockets.add(socket);
      socket.once('close', () => {
        this.sockets.delete(socket);
        if (!this.sockets.has(client) && !this.sockets.has(target)) ways.forEach((way) => this.directions.delete(way));
      });
    }
  }
}

const links = new Map<string, Link>();

async function open(name: string, port: number, targetPort: number): Promise<void> {
  const link = new Link(port, targetPort);
  links.set(name, link);
  await link.listen();
}

async function change(names: string[], state: LinkState): Promise<void> {
  await Promise.all(names.map((name) => links.get(name)!.change(state)));
}

function reset(names: string[]): void {
  for (const name of names) links.get(name)!.reset();
}

const methods = { open, change, reset };
export type NetworkMethods = typeof methods;

serve(methods);
