// Preloaded into a process (NODE_OPTIONS=--import=…): prints "watched at <url>" on stdout. A GET there returns the
// process's CPU time in µs, and the longest delay of its event loop since the last GET, in ms.
import { writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 1;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();

const server = createServer((_request, response) => {
  const { user, system } = process.cpuUsage();
  const longestMs = Math.max(0, delay.max / 1e6 - RESOLUTION_MS);
  delay.reset();
  response.end(JSON.stringify({ cpuMicroseconds: user + system, longestMs }));
});
server.listen(0, '127.0.0.1', () => writeSync(1, `watched at http://127.0.0.1:${server.address().port}\n`));
server.unref();
