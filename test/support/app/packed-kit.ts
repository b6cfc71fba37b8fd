import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { builtFile } from './service.js';

const run = promisify(execFile);

/** Makes the folder a package that has the packed provider kit, as a connector's author would; without a registry. */
export async function installKit(folder: string): Promise<void> {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'connector', private: true, type: 'module' }));
  const options = ['--registry', 'http://127.0.0.1:9', '--no-audit', '--no-fund'];
  const env = { PATH: process.env.PATH, npm_config_cache: join(folder, 'cache'), npm_config_fetch_retries: '0' };
  await run('npm', ['install', ...options, builtFile('tarballs', 'provider-kit.tgz')], { cwd: folder, env });
}

/** The output of Node's test runner for the tests of the folder, in TAP. */
export async function testOutput(folder: string): Promise<string> {
  return (await run(process.execPath, ['--test', '--test-reporter=tap'], { cwd: folder })).stdout;
}
