import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT } from '../support/programs.js';

const run = promisify(execFile);
const BUILD_TIMEOUT_MS = 5 * 60_000;

/**
 * Builds a commit of this repository in `folder` and answers its `dist`. With the packages that are installed here: it
 * compiles as long as it needs none in another version.
 */
export async function buildOldVersion(commit: string, folder: string): Promise<string> {
  const archive = join(folder, 'source.tar');
  const source = join(folder, 'source');
  await mkdir(source, { recursive: true });
  await run('git', ['archive', '--output', archive, commit], { cwd: PROJECT });
  await run('tar', ['-x', '-f', archive, '-C', source]);
  await symlink(join(PROJECT, 'node_modules'), join(source, 'node_modules'));
  const nest = join(PROJECT, 'node_modules/@nestjs/cli/bin/nest.js');
  await run(process.execPath, [nest, 'build'], { cwd: source, timeout: BUILD_TIMEOUT_MS });
  return join(source, 'dist');
}
