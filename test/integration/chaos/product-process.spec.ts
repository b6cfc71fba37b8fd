import type { ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ProductProcess } from '../../../bench/support/product-process.js';
import type { Supervisor } from '../../../bench/support/supervisor.js';
import { ManagedProcess } from '../../../src/cli/demo/managed-process.js';
import { eventually } from '../../support/eventually.js';

class FakeChild extends EventEmitter {
  readonly pid = 1;
  exitCode: number | null = null;
  readonly signalCode = null;

  kill(): void {
    this.exitCode = 1;
    this.emit('exit', 1, null);
  }
}

let server: Server;
let isReady: boolean;
let asked: number;
let spawned: ManagedProcess[];
let place: ProductProcess;

beforeEach(async () => {
  isReady = true;
  asked = 0;
  spawned = [];
  server = createServer((_request, response) => {
    asked += 1;
    response.writeHead(isReady && running() > 0 ? 200 : 503).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const spawn = (): ManagedProcess => {
    const process = new ManagedProcess('worker-1', new FakeChild() as unknown as ChildProcess);
    spawned.push(process);
    return process;
  };
  const { port } = server.address() as AddressInfo;
  const options = { slot: 'worker-1', port, args: [], env: {}, folder: '.', restarts: true } as const;
  place = new ProductProcess({ spawn } as unknown as Supervisor, options);
});
afterEach(async () => {
  await place.kill();
  server.closeAllConnections();
  await once(server.close(), 'close');
});

const running = (): number => spawned.filter((process) => !process.hasExited).length;

describe('a supervised process of the product', () => {
  it('runs once when a kill and another start come before the first start has ended', async () => {
    isReady = false;
    const overtaken = place.start();
    await eventually(() => asked > 0);
    await place.kill();
    const start = place.start();
    isReady = true;
    await Promise.all([overtaken, start]);
    expect(running()).toBe(1);
    expect(spawned).toHaveLength(2);
  });

  it('runs once after two overlapping kills', async () => {
    await place.start();
    await Promise.all([place.kill(), place.kill()]);
    await Promise.all([place.start(), place.start()]);
    await place.start();
    expect(running()).toBe(1);
    expect(place.failures).toEqual([]);
  });

  it('records an unexpected exit once, and starts again', async () => {
    await place.start();
    await place.start();
    await spawned[0]!.kill();
    await eventually(() => expect(running()).toBe(1));
    expect(place.failures).toEqual([expect.stringContaining('worker-1 ended unexpectedly')]);
  });
});
