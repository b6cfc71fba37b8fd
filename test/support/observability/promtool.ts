import { execFile } from 'node:child_process';
import { ensurePromtoolInstalled } from '../servers/promtool.mjs';
import { PROMETHEUS_FOLDER } from './rule-files.js';

/**
 * What `promtool` prints; paths are those from the folder of the rules. Rejects with it when it exits with anything but 0.
 * Installs promtool where that is allowed, throws one line that says what to do otherwise.
 */
export function promtool(...args: string[]): Promise<string> {
  ensurePromtoolInstalled();
  return new Promise((resolve, reject) => {
    // it is over before it would have to collect garbage
    const options = { cwd: PROMETHEUS_FOLDER, env: { GOGC: '400', ...process.env } };
    execFile('promtool', args, options, (error, stdout, stderr) => {
      if (error) reject(new Error(`promtool ${args.join(' ')}\n${stdout}${stderr}`));
      else resolve(stdout);
    });
  });
}
