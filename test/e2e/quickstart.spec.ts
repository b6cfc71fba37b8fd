import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { quickstartFiles } from '../support/app/quickstart-files.js';

const tsc = fileURLToPath(new URL('../../node_modules/typescript-native/bin/tsc', import.meta.url));

// test/long/quickstart.spec.ts runs them
it('the files of docs/start/quickstart.md use the API as the types of the client describe it', async () => {
  const { folder, names } = await quickstartFiles();
  expect(names).toContain('setup.mjs');
  // a handler in JavaScript lists the fields that it needs; receiver-snippets.spec.ts runs receivers
  const checked = names.filter((name) => name !== 'receiver.mjs').map((name) => join(folder, name));
  const options =
    '--noEmit --allowJs --checkJs --module nodenext --target es2023 --types node --strict false --skipLibCheck'.split(
      ' ',
    );
  const run = promisify(execFile)(process.execPath, [tsc, ...options, ...checked], { cwd: folder });
  expect(await run.catch((error: { stdout: string }) => error)).toMatchObject({ stdout: '' });
});

it.each(['docs/start/quickstart.md', 'README.md'])('the receiver of %s says that its port is taken', async (page) => {
  const { folder } = await quickstartFiles();
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  writeFileSync(join(folder, 'readme.mjs'), /<!-- receiver -->\n\n```js\n([^]*?)\n```/.exec(readme)![1]!);
  const other = createServer().listen(0, page === 'README.md' ? undefined : '127.0.0.1');
  await once(other, 'listening');
  const env = {
    ...process.env,
    PORT: String((other.address() as AddressInfo).port),
    SHOP_ID: '1',
    WEBHOOK_SECRET: 'x',
  };
  const file = join(folder, page === 'README.md' ? 'readme.mjs' : 'receiver.mjs');
  const ended = promisify(execFile)(process.execPath, [file], { cwd: folder, env }).catch((error: object) => error);
  expect(await ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('EADDRINUSE') });
  other.close();
});
