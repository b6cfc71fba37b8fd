// Preloaded into a process (NODE_OPTIONS=--import=…): prints a line on stderr before a module is loaded whose URL ends
// in ANNOUNCED_MODULE. With HELD_MODULE=true it never loads it.
import { register } from 'node:module';
import { setInterval } from 'node:timers';

const { ANNOUNCED_MODULE, HELD_MODULE } = process.env;

const HOOKS = `import { writeSync } from 'node:fs';
export const load = async (url, context, next) => {
  if (!url.endsWith(${JSON.stringify(ANNOUNCED_MODULE)})) return next(url, context);
  writeSync(2, 'loads ' + url + '\\n');
  return ${HELD_MODULE === 'true' ? 'new Promise(() => undefined)' : 'next(url, context)'};
};`;

register(`data:text/javascript,${encodeURIComponent(HOOKS)}`);
// otherwise Node exits when only an import is pending
if (HELD_MODULE === 'true') setInterval(() => undefined, 60_000);
