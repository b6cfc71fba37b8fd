// Preloaded into a process (NODE_OPTIONS=--import=…): asks the name server HOSTILE_DNS instead of the system's, and at
// SIGUSR2 collects garbage and says on stdout what memory is left: "memory <n> {"rss":…,"heapUsed":…,"external":…}",
// in bytes, the n-th time.
import { writeSync } from 'node:fs';
import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const { Resolver } = dns;
dns.Resolver = class extends Resolver {
  constructor(options) {
    super(options);
    this.setServers([process.env.HOSTILE_DNS]);
  }
};
syncBuiltinESMExports();

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc');
let times = 0;
process.on('SIGUSR2', async () => {
  gc();
  await delay(100); // buffers are given back by finalizers, which run after the first collection
  gc();
  writeSync(1, `memory ${++times} ${JSON.stringify(process.memoryUsage())}\n`);
});
