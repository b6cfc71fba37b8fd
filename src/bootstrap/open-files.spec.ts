import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { warnOfFewFiles } from './open-files.js';

const LIMIT = Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))![1]);
const SETTINGS = { databasePoolSize: 11, workerConcurrency: 7, databaseReplicaUrl: undefined };

// `others`: descriptors that do not depend on the limit of HTTP connections
it.each([
  [['api'], {}, 11 + 512, 1],
  [['api'], { databaseReplicaUrl: 'postgres://h/d' }, 22 + 512, 1],
  [['worker'], {}, 6 + 7 + 1_024 + 512, 1],
  [['api', 'worker'], {}, 11 + 512 + 6 + 7 + 1_024 + 512, 2],
] as const)(
  'warnOfFewFiles warns %j with %j when its settings may need more than the limit',
  (roles, more, others, servers) => {
    const warned = (needed: number): object[] => {
      const lines: object[] = [];
      const httpMaxConnections = (needed - others) / servers;
      warnOfFewFiles(roles, { ...SETTINGS, ...more, httpMaxConnections }, { warn: (line: object) => lines.push(line) });
      return lines;
    };
    expect(warned(LIMIT)).toEqual([]);
    expect(warned(LIMIT + 1)).toEqual([{ process: roles.join(' and '), limit: LIMIT, needed: LIMIT + 1 }]);
  },
);
