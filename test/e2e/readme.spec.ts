import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../support/servers/servers.js';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const secret = 'whsec_c2VjcmV0LW9mLTMyLWJ5dGVzLWZvci10aGUtdGVzdHM=';
const body = '{"event":"payment.status_changed","payment":{"id":1,"amount":49.9},"customer":{"first_name":"Zoë"}}\n';
const signature = createHmac('sha256', secret).update(body).digest('hex');

const snippet = (language: string): string => {
  const [, code] =
    new RegExp(`\`\`\`${language}\n([^\`]*(?:createHmac|hashlib|hash_hmac)[^\`]*)\`\`\``).exec(readme) ?? [];
  if (code === undefined) throw new Error(`README has no ${language} snippet that verifies a webhook`);
  return code;
};

/** How each snippet is called: arguments are the body's file, the signature and the secret; prints true or false. */
const languages = [
  {
    name: 'Node',
    language: 'js',
    command: process.execPath,
    file: 'verify.mjs',
    program: (code: string) => `${code}
import { readFileSync } from 'node:fs';
const [file, signature, secret] = process.argv.slice(2);
console.log(String(isGenuine(readFileSync(file), signature, secret)));`,
  },
  {
    name: 'Python',
    language: 'python',
    command: 'python3',
    file: 'verify.py',
    program: (code: string) => `${code}
import sys
print(str(is_genuine(open(sys.argv[1], 'rb').read(), sys.argv[2], sys.argv[3])).lower())`,
  },
  {
    name: 'PHP',
    language: 'php',
    command: 'php',
    file: 'verify.php',
    program: (code: string) => `<?php ${code}
echo is_genuine(file_get_contents($argv[1]), $argv[2], $argv[3]) ? 'true' : 'false';`,
  },
];

const isInstalled = (command: string): boolean => {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

describe('the README’s snippets', () => {
  it.each(languages)('are there for $name', ({ language }) => {
    expect(snippet(language)).toMatch(/genuine/i);
  });

  // only Node is sure to be on the machine
  it.each(languages.filter(({ command }) => isInstalled(command)))(
    'verify a webhook in $name over the raw bytes',
    async ({ language, command, file, program }) => {
      const folder = await temporaryFolder();
      const [script, bodyFile] = [join(folder, file), join(folder, 'body')];
      writeFileSync(script, program(snippet(language)));
      writeFileSync(bodyFile, body);
      const verify = (...args: string[]) =>
        execFileSync(command, [script, bodyFile, ...args], { encoding: 'utf8' }).trim();
      expect(verify(signature, secret)).toBe('true');
      expect(verify(signature.replace(/^./, signature.startsWith('0') ? '1' : '0'), secret)).toBe('false');
      expect(verify('', secret)).toBe('false');
      expect(verify(signature, `${secret}x`)).toBe('false');
    },
  );
});
