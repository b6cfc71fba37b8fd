import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from './paths.js';

/** Node's own flags in `npm run start:<role>`: what is measured runs with them, and so does what stands beside it. */
export function nodeFlags(role: 'api' | 'worker'): string[] {
  const { scripts } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  return scripts[`start:${role}`]!.split(' ').filter((word) => word.startsWith('--'));
}
