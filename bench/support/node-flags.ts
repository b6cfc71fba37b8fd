import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Node's own flags in `npm run start:<role>` of the project whose build is in `dist`: what is measured runs with them, and
 * so does what stands beside it.
 */
export function nodeFlags(dist: string, role: 'api' | 'worker'): string[] {
  const { scripts } = JSON.parse(readFileSync(join(dist, '..', 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  return scripts[`start:${role}`]!.split(' ').filter((word) => word.startsWith('--'));
}

/** What Node is started with to run the role's process. */
export const startCommand = (dist: string, role: 'api' | 'worker'): string[] => [
  ...nodeFlags(dist, role),
  join(dist, `main-${role}.js`),
];
