// Preloaded into a process (NODE_OPTIONS=--import=…): its clock is so many ms ahead as the file CLOCK_SKEW says, also when that
// changes, as if somebody set the clock of its machine. What measures spans (`performance.now`, timers) goes on as before.
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
