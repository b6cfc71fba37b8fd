// Preloaded into a process (NODE_OPTIONS=--import=…): uses the name server HOSTILE_DNS instead of the system's. On
// SIGUSR2 it collects garbage and prints the remaining memory in bytes on stdout: "memory <n>
// {"rss":…,"heapUsed":…,"external":…}", where n counts the signals.
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
  await delay(100); // finalizers release buffers after the first collection
  gc();
  writeSync(1, `memory ${++times} ${JSON.stringify(process.memoryUsage())}\n`);
});
