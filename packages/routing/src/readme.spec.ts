import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const root = new URL('../', import.meta.url);

it('the code of the README prints what its comments say', () => {
  const [code] = /(?<=```js\n)[^`]+(?=```)/.exec(readFileSync(new URL('README.md', root), 'utf8'))!;
  const options = { cwd: fileURLToPath(root), encoding: 'utf8' as const };
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', code], options);
  const comments = [...code.matchAll(/console\.log\(.*\); \/\/ ([^:\n]+)/g)].map(([, text]) => text!);
  expect(comments).toHaveLength(4);
  expect(printed.replaceAll(/[\s']/g, '')).toBe(comments.join('').replaceAll(/[\s"]/g, ''));
});
