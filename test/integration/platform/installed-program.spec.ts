import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const program = new URL('../../support/servers/installed-program.mjs', import.meta.url).href;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'installed-program-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const script = (name: string, text: string): void => {
  writeFileSync(join(folder, name), `#!/bin/sh\ncd ${folder}\n${text}`);
  chmodSync(join(folder, name), 0o755);
};

/** What root gets with this `apt-get`, and no other package manager. */
async function ensureProgram(): Promise<string> {
  const wanted = { programs: ['wanted'], packages: { 'apt-get': 'wanted' }, needs: 'this test needs it' };
  const code = `process.getuid = () => 0;
    const { ensureProgram } = await import('${program}');
    try { console.log(ensureProgram(${JSON.stringify(wanted)})); } catch (error) { console.log(error.message); }`;
  const env = { PATH: `${folder}:/bin` };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], { env });
  return stdout.trim();
}

describe('ensureProgram', () => {
  it('installs a program although another test file installs one at this moment', async () => {
    script(
      'apt-get',
      `[ "$1" = install ] || exit 0
       [ -e tried ] || { touch tried; echo 'E: Could not get lock /var/lib/dpkg/lock-frontend.' >&2; exit 100; }
       printf '#!/bin/sh\\n' > wanted; chmod +x wanted`,
    );
    expect(await ensureProgram()).toBe('wanted');
  });

  it('says what to install where the package manager has no such package', async () => {
    script('apt-get', `[ "$1" != install ] || { echo 'E: Unable to locate package wanted' >&2; exit 100; }`);
    expect(await ensureProgram()).toBe('this test needs it: install wanted (apt-get install wanted)');
  });
});
