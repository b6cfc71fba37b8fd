import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder. This file runs as dist-bench/bench/support/programs.js. */
export const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));

/** The compiled file of a program of the bench, such as `processes/receiver`. */
export const program = (name: string): string => fileURLToPath(new URL(`../${name}.js`, import.meta.url));

/**
 * Node's flags in `npm run start:<role>` of the project whose build is in `dist`. The measured processes and their
 * baselines run with them.
 */
export function nodeFlags(dist: string, role: 'api' | 'worker'): string[] {
  const { scripts } = JSON.parse(readFileSync(join(dist, '..', 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  return scripts[`start:${role}`]!.split(' ').filter((word) => word.startsWith('--'));
}

/** The command line of the role's process. */
export const startCommand = (dist: string, role: 'api' | 'worker'): string[] => [
  ...nodeFlags(dist, role),
  join(dist, `main-${role}.js`),
];
