// Preloaded into a process (NODE_OPTIONS=--import=…): writes the loaded modules into the file LISTED_MODULES, one per
// line: ES modules at once, CommonJS modules when the process exits.
import { appendFileSync } from 'node:fs';
import { createRequire, register } from 'node:module';

const HOOKS = `import { appendFileSync } from 'node:fs';
export const load = (url, context, next) => {
  appendFileSync(process.env.LISTED_MODULES, url + '\\n');
  return next(url, context);
};`;

register(`data:text/javascript,${encodeURIComponent(HOOKS)}`);
const { cache } = createRequire(import.meta.url);
process.on('exit', () => appendFileSync(process.env.LISTED_MODULES, Object.keys(cache).join('\n')));
