// Preloaded into a process (NODE_OPTIONS=--import=…): its clock is ahead by the ms in the file CLOCK_SKEW. A change of
// the file works like a step of the machine's clock. `performance.now` and timers do not change.
import { readFileSync, watchFile } from 'node:fs';

const RealDate = Date;
const file = process.env.CLOCK_SKEW;
let skewMs = 0;
const read = () => (skewMs = Number(readFileSync(file, 'utf8')) || 0);
read();
watchFile(file, { interval: 50, persistent: false }, read);

const now = () => RealDate.now() + skewMs;

globalThis.Date = new Proxy(RealDate, {
  apply: () => new RealDate(now()).toString(),
  construct: (target, given, newTarget) => Reflect.construct(target, given.length > 0 ? given : [now()], newTarget),
  get: (target, name) => (name === 'now' ? now : target[name]),
});
