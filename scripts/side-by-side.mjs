// Runs npm scripts in parallel; fails if one of them fails.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const running = process.argv
  .slice(2)
  .map((name) => spawn('npm', ['run', '--silent', name], { stdio: 'inherit', shell: process.platform === 'win32' }));
const ended = await Promise.all(running.map((script) => once(script, 'close')));
process.exitCode = ended.every(([code]) => code === 0) ? 0 : 1;
