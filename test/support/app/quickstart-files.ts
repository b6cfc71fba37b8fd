import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../servers/servers.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The files of docs/start/quickstart.md in a new folder, from which the packages of this repository can be imported. */
export async function quickstartFiles(): Promise<{ folder: string; names: string[] }> {
  const folder = await temporaryFolder();
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const page = readFileSync(join(root, 'docs/start/quickstart.md'), 'utf8');
  const blocks = [...page.matchAll(/<!-- quickstart -->\n\n```js\n\/\/ (\S+)\n([^]*?)\n```/g)];
  for (const [, name, code] of blocks) writeFileSync(join(folder, name!), `${code}\n`);
  return { folder, names: blocks.map(([, name]) => name!) };
}
