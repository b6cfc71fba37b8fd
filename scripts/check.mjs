// Runs all checks of `npm run check`, two at a time. The output of each check is shown when all have ended, in this order.
// Fails if a check fails.
import { spawn } from 'node:child_process';

const CHECKS = ['lint', 'format', 'types', 'dependencies', 'dead-code', 'structure', 'language', 'api'];
const AT_A_TIME = 2;

const waiting = [...CHECKS];
const ended = new Map();

async function work() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) ended.set(name, await run(name));
}

/** Resolves to the exit code and the output. */
function run(name) {
  const child = spawn('npm', ['run', '--silent', `check:${name}`], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

await Promise.all(Array.from({ length: AT_A_TIME }, work));
for (const name of CHECKS) {
  const { code, output } = ended.get(name);
  process.stdout.write(output);
  if (code !== 0) {
    process.stderr.write(`npm run check:${name} failed\n`);
    process.exitCode = 1;
  }
}
