import { describe, expect, it } from '@jest/globals';
import { runCommandLine } from '../../../src/cli/command-line.js';
import { SETTINGS } from '../../../src/platform/config/settings.js';

async function configList(environment: Record<string, string>, ...options: string[]) {
  const run = { out: '', err: '' };
  const code = await runCommandLine(['config', 'list', ...options], {
    environment: () => environment,
    out: (text) => (run.out += text),
    err: (text) => (run.err += text),
  });
  return { code, ...run };
}

const DATABASE_URL = 'postgres://user:hunter2@localhost/app';

describe('config list', () => {
  it('lists every setting as JSON, with its value, source and doc', async () => {
    const { code, out, err } = await configList({ PORT: '4000' }, '--json');
    expect([code, err]).toEqual([0, '']);
    const settings = JSON.parse(out) as { name: string }[];
    expect(settings.map(({ name }) => name)).toEqual(Object.keys(SETTINGS));
    expect(settings).toContainEqual({ name: 'PORT', value: '4000', source: 'env', doc: SETTINGS.PORT.doc });
    expect(settings).toContainEqual({ name: 'REDIS_URL', value: null, source: 'default', doc: SETTINGS.REDIS_URL.doc });
  });

  it('prints a table that masks secrets', async () => {
    const { out } = await configList({ DATABASE_URL, METRICS_TOKEN: 'hunter2-hunter3-token' });
    expect(out).toMatch(/^NAME +VALUE +SOURCE +DOC\n/);
    expect(out).toMatch(/^DATABASE_URL +\*\*\* +env +postgres:/m);
    expect(out).toMatch(/^METRICS_TOKEN +\*\*\* +env /m);
    expect(out).not.toContain('hunter');
  });

  it('shows the default for the kind of database', async () => {
    expect((await configList({})).out).toMatch(/^HOST +127\.0\.0\.1 +default /m);
    expect((await configList({ DATABASE_URL })).out).toMatch(/^HOST +0\.0\.0\.0 +default /m);
  });

  it('exits with 1 and one line about an invalid setting', async () => {
    expect(await configList({ PORT: 'x' })).toEqual({
      code: 1,
      out: '',
      err: "error: PORT: got 'x', takes an integer from 0 to 65535\n",
    });
  });
});
