import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { ApiClient } from '../support/app/api-client.js';
import { eventually } from '../support/eventually.js';
import { temporaryFolder } from '../support/servers/servers.js';
import { builtFile, startService } from '../support/app/service.js';

describe('npm start on a fresh folder', () => {
  it('creates a demo client once, with credentials that work after a restart too', async () => {
    const env = {
      DATA_DIR: join(await temporaryFolder(), "the folder of Ada's shop"),
      JWT_SECRET: undefined,
      ENCRYPTION_KEY: undefined,
      BOOTSTRAP_CLIENT_ID: undefined,
      BOOTSTRAP_CLIENT_SECRET: undefined,
      WEBHOOK_ALLOWED_NETWORKS: undefined,
    };
    const first = await startService({ entry: 'all', env });
    const printed = (what: string) =>
      eventually(() => new RegExp(`${what}:\\s+(\\S+)`).exec(first.logs())?.[1] ?? false);
    const [id, secret] = [await printed('client id'), await printed('client secret')];
    const shops = await (await ApiClient.login(first.url, id, secret)).get('/shops');
    expect(shops.body).toEqual({ success: true, data: [], pagination: { next_cursor: null, has_more: false } });
    expect(await first.stop()).toBe(0);

    const second = await startService({ entry: 'all', env });
    expect(second.logs()).not.toContain(secret);
    await ApiClient.login(second.url, id, secret);
    // as printed, in a folder without a database of the service
    const line = await eventually(() =>
      /^ *(DATA_DIR=.* npm run cli -- client:rotate-secret .*)$/m.exec(second.logs()),
    );
    expect(line[1]).toContain(String(id));
    const rotate = line[1]!.replace('npm run cli --', `node ${builtFile('cli', 'main.js')}`);
    const options = { cwd: await temporaryFolder(), env: { PATH: process.env.PATH } };
    const { stdout } = await promisify(execFile)('sh', ['-c', rotate], options);
    await ApiClient.login(second.url, id, /client secret: +(\S+)/.exec(stdout)![1]!);
    expect(await second.stop()).toBe(0);
  });
});
