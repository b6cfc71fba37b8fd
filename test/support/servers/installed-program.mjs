import { execFileSync } from 'node:child_process';

const INSTALLERS = {
  'apt-get': (name) => [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', name],
  ],
  apk: (name) => [['add', '--quiet', name]],
};

/**
 * The first of `programs` that there is. Installs it where root may: `packages`, by package manager. Throws one line that
 * says what to do otherwise: `needs`, such as `the tests need Redis`, and `otherwise`, what else would do.
 */
export function ensureProgram({ programs, packages, needs, otherwise = '' }) {
  const found = programs.find(hasProgram);
  if (found !== undefined) return found;
  for (const [manager, commands] of Object.entries(INSTALLERS)) {
    if (!hasProgram(manager) || process.getuid?.() !== 0) continue;
    try {
      for (const command of commands(packages[manager])) run(manager, ...command);
    } catch {
      break;
    }
    const installed = programs.find(hasProgram);
    if (installed !== undefined) return installed;
  }
  const name = packages['apt-get'];
  throw new Error(`${needs}: install ${name} (apt-get install ${name})${otherwise}`);
}

const run = (program, ...args) =>
  execFileSync(program, args, {
    stdio: 'ignore',
    timeout: 180_000,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  });

function hasProgram(name) {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
