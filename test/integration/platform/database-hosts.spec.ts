import { chmod, chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { connectionTo } from '../../../src/platform/database/connection.js';
import { watchConnections } from '../../../src/platform/database/connection-watchdog.js';
import { unprivilegedAccount } from '../../../packages/embedded-postgres/src/program.js';
import { eventually } from '../../support/eventually.js';
import { createAuthority } from '../../support/servers/hostile-certificates.js';
import {
  type PostgresServer,
  type ReplicatedPostgres,
  startReplicatedPostgres,
} from '../../support/servers/postgres-replica.js';
import { freePort } from '../../support/servers/free-port.mjs';
import { temporaryFolder } from '../../support/servers/servers.js';

let postgres: ReplicatedPostgres;
let authority: string;
beforeAll(async () => {
  const folder = await temporaryFolder();
  const issuer = createAuthority('an authority of the tests');
  const { cert, key } = issuer.issue({ names: ['localhost'] });
  authority = join(folder, 'ca.pem');
  await writeFile(authority, issuer.cert);
  const account = await unprivilegedAccount();
  const settings = { ssl: 'on', ssl_cert_file: join(folder, 'cert.pem'), ssl_key_file: join(folder, 'key.pem') };
  for (const [file, text] of [[settings.ssl_cert_file, cert] as const, [settings.ssl_key_file, key] as const]) {
    await writeFile(file, text);
    await chmod(file, 0o600);
    if (account) await chown(file, account.uid, account.gid);
  }
  postgres = await startReplicatedPostgres(folder, { settings });
});
afterAll(() => postgres.stop());

const poolTo = (url: string): pg.Pool => {
  const pool = new pg.Pool({ ...connectionTo(url), max: 1, connectionTimeoutMillis: 10_000 });
  pool.on('error', () => undefined);
  watchConnections(pool, 10_000);
  return pool;
};

/** Returns the first row of a statement on a new connection to `url`. */
async function ask<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row> {
  const pool = poolTo(url);
  try {
    return (await pool.query<Row>(text)).rows[0]!;
  } finally {
    await pool.end();
  }
}

describe('A database URL with several hosts', () => {
  const unreachable = async (): Promise<PostgresServer> => ({ ...postgres.standby, port: await freePort() });
  const portAt = async (url: string): Promise<number> =>
    (await ask<{ port: number }>(url, 'SELECT inet_server_port() AS port')).port;

  it('leads to the writable host, at any position and with other hosts down', async () => {
    const { primary, standby } = postgres;
    const writable = '?target_session_attrs=read-write';
    expect(await portAt(postgres.url([await unreachable(), standby, primary], writable))).toBe(primary.port);
    expect(await portAt(postgres.url([primary, standby], writable))).toBe(primary.port);
  });

  it('leads to a standby when target_session_attrs asks for one', async () => {
    const { primary, standby } = postgres;
    expect(await portAt(postgres.url([primary, standby], '?target_session_attrs=standby'))).toBe(standby.port);
  });

  it('fails with the reason of each host when none is suitable', async () => {
    const { standby } = postgres;
    const asked = portAt(postgres.url([standby, await unreachable()], '?target_session_attrs=primary'));
    await expect(asked).rejects.toMatchObject({
      code: '57P03',
      message: expect.stringMatching(/none of the 2 hosts is suitable \(.+ is read-only; .*ECONNREFUSED/),
    });
    const single = portAt(postgres.url([standby], '?target_session_attrs=primary'));
    await expect(single).rejects.toMatchObject({ code: '25006' });
  });
});

describe('A TLS connection to a database', () => {
  const urlOf = (host: string, parameters: string) => {
    const url = new URL(postgres.url([postgres.primary], parameters));
    url.hostname = host;
    return url.href;
  };
  const isEncrypted = async (host: string, parameters: string): Promise<boolean> => {
    const text = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
    return (await ask<{ ssl: boolean }>(urlOf(host, parameters), text)).ssl;
  };

  it('reaches a server whose certificate is from the given authority', async () => {
    expect(await isEncrypted('localhost', `?sslmode=verify-full&sslrootcert=${authority}`)).toBe(true);
    expect(await isEncrypted('localhost', '?sslmode=disable')).toBe(false);
  });

  it('fails with an untrusted certificate, unless no-verify is set', async () => {
    await expect(isEncrypted('localhost', '?sslmode=require')).rejects.toThrow(/self-signed|unable to/);
    expect(await isEncrypted('localhost', '?sslmode=no-verify')).toBe(true);
  });

  it('fails with a certificate for another name, unless verify-ca is set', async () => {
    await expect(isEncrypted('127.0.0.1', `?sslrootcert=${authority}`)).rejects.toThrow(/does not match/);
    expect(await isEncrypted('127.0.0.1', `?sslmode=verify-ca&sslrootcert=${authority}`)).toBe(true);
  });

  it('verifies the host that was found', async () => {
    const ports = [postgres.standby, postgres.primary].map(({ port }) => `localhost:${port}`).join(',');
    const url = urlOf('hosts', `?target_session_attrs=read-write&sslrootcert=${authority}`).replace(/hosts:\d+/, ports);
    expect(await ask(url, 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()')).toEqual({ ssl: true });
  });
});

describe('A connection to a server that has become read-only', () => {
  it('closes with the statement that gets the error', async () => {
    const pool = poolTo(postgres.url([postgres.primary]));
    const client = await pool.connect();
    await client.query('BEGIN READ ONLY');
    await expect(client.query('CREATE TABLE notes ()')).rejects.toMatchObject({ code: '25006' });
    client.release();
    await eventually(() => pool.totalCount === 0);
    await pool.end();
  });
});
