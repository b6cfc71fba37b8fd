// Preloaded into a process (NODE_OPTIONS=--import=…): says on stderr when a module whose URL ends in ANNOUNCED_MODULE is
// about to be loaded, and with HELD_MODULE=true never loads it.
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
// else Node ends when nothing is left to do but an import
if (HELD_MODULE === 'true') setInterval(() => undefined, 60_000);
