import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file system in memory, on Linux. */
const MEMORY = '/dev/shm';
/** The template, a few databases at a time, the write-ahead log and the clusters of tests take 1 GB. */
const NEEDED_BYTES = 4 * 2 ** 30;

/** Creates a folder that every account may enter, because PostgreSQL does not run as root. */
export function newFolder(parent) {
  const folder = mkdtempSync(join(parent, 'payment-orchestrator-test-'));
  chmodSync(folder, 0o711);
  return folder;
}

/**
 * Creates a folder in memory, if there is enough space. On ext4 a new database of 400 files takes 150 ms of CPU time
 * instead of 15 if others were dropped shortly before, because ext4 checks every inode that was freed in the last
 * seconds. A new cluster takes 0.8 s instead of 0.4.
 */
export function folderInMemory() {
  if (!hasSpace()) return undefined;
  const folder = newFolder(MEMORY);
  if (canExecute(folder)) return folder;
  rmSync(folder, { recursive: true });
  return undefined;
}

function hasSpace() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= NEEDED_BYTES;
  } catch {
    return false;
  }
}

/** PostgreSQL's programs are copied next to its data if its account cannot enter the project. */
function canExecute(folder) {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
  try {
    execFileSync(program);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(program);
  }
}
