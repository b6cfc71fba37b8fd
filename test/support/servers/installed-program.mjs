import { execFileSync } from 'node:child_process';

const INSTALLERS = {
  'apt-get': (name) => [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', name],
  ],
  apk: (name) => [['add', '--quiet', name]],
};

const INSTALL_MS = 180_000;
const LOCKED_MS = 500;

/**
 * The first installed program of `programs`. As root it installs `packages`, by package manager. Otherwise it throws
 * one line that says what to do: `needs`, such as `the tests need Redis`, and `otherwise`, the alternative.
 */
export function ensureProgram({ programs, packages, needs, otherwise = '' }) {
  const found = programs.find(hasProgram);
  if (found !== undefined) return found;
  for (const [manager, commands] of Object.entries(INSTALLERS)) {
    if (!hasProgram(manager) || process.getuid?.() !== 0) continue;
    try {
      for (const command of commands(packages[manager])) runWhenUnlocked(manager, command);
    } catch {
      break;
    }
    const installed = programs.find(hasProgram);
    if (installed !== undefined) return installed;
  }
  const name = packages['apt-get'];
  throw new Error(`${needs}: install ${name} (apt-get install ${name})${otherwise}`);
}

/**
 * Test files that run at the same time install at the same time: retries while another process has locked the package
 * manager.
 */
function runWhenUnlocked(program, args) {
  const until = Date.now() + INSTALL_MS;
  for (;;) {
    try {
      execFileSync(program, args, {
        stdio: ['ignore', 'ignore', 'pipe'],
        timeout: INSTALL_MS,
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1', LC_ALL: 'C' },
      });
      return;
    } catch (error) {
      if (!/lock/.test(String(error.stderr)) || Date.now() > until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCKED_MS);
    }
  }
}

function hasProgram(name) {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
