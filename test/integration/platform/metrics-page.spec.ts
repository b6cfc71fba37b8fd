import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { metricsPage } from '../../../scripts/metrics-page.mjs';
import { Metrics, type MetricDescription } from '../../../src/platform/observability/metrics.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { startRole } from '../http/running.js';

/** The page without line breaks and escapes, which prettier sets. */
const plain = (page: string): string => page.replace(/\\/g, '').replace(/[*_]/g, '').replace(/\s+/g, ' ').trim();

let database: TestDatabase;
const described: Record<string, MetricDescription[]> = {};
beforeAll(async () => {
  database = await createTestDatabase();
  for (const role of ['api', 'worker'] as const) {
    const running = await startRole(role, database.url);
    described[role] = running.app.get(Metrics).describe();
    await running.stop();
  }
});
afterAll(() => database.drop());

describe('docs/operate/metrics.md', () => {
  it('describes every metric of API and worker (`npm run docs:metrics` updates it)', () => {
    const page = readFileSync(new URL('../../../docs/operate/metrics.md', import.meta.url), 'utf8');
    expect(plain(page)).toBe(plain(metricsPage(described)));
  });

  it('uses names with units, and names that end in _total only for counters', () => {
    const ours = Object.values(described)
      .flat()
      .filter(({ name }) => !/^(nodejs|process)_/.test(name));
    const misnamed = ours.filter(
      ({ name, type }) =>
        /_(ms|milliseconds|minutes|kb|count)$/.test(name) || (type === 'counter') !== name.endsWith('_total'),
    );
    expect(misnamed.map(({ name }) => name)).toEqual([]);
  });

  it('contains a help text for every metric, and lists every gauge from the database for the API as well', () => {
    const fromRows = (role: string) =>
      described[role]!.filter(({ isFromDatabase }) => isFromDatabase).map(({ name }) => name);
    expect(fromRows('api')).toEqual(fromRows('worker'));
    expect(described['api']!.filter(({ help }) => help === '')).toEqual([]);
  });
});
