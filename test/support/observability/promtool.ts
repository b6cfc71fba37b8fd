import { execFile } from 'node:child_process';
import { ensurePromtoolInstalled } from '../servers/promtool.mjs';
import { PROMETHEUS_FOLDER } from './rule-files.js';

/**
 * The output of `promtool`; paths are relative to the folder of the rules. Rejects with the output if the exit code is
 * not 0. Installs promtool where that is allowed; otherwise throws one line that says what to do.
 */
export function promtool(...args: string[]): Promise<string> {
  ensurePromtoolInstalled();
  return new Promise((resolve, reject) => {
    // it ends before it would have to collect garbage
    const options = { cwd: PROMETHEUS_FOLDER, env: { GOGC: '400', ...process.env } };
    execFile('promtool', args, options, (error, stdout, stderr) => {
      if (error) reject(new Error(`promtool ${args.join(' ')}\n${stdout}${stderr}`));
      else resolve(stdout);
    });
  });
}
