import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { databaseAddress, hostsOf } from './database-url.js';

const address = (url: string) => databaseAddress('DATABASE_URL', url);

let folder: string;
let authority: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'database-url-'));
  authority = join(folder, 'ca.pem');
  writeFileSync(authority, 'an authority');
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('databaseAddress', () => {
  it.each([
    'postgres://user:p%40ss@localhost:5432/app',
    'postgres:///app?host=/var/run/postgresql',
    'postgresql://user@[::1]/app?application_name=a%20b',
  ])('keeps a URL without our parameters unchanged: %s', (url) => {
    expect(address(url)).toEqual({ urls: [url], sessions: 'any', ssl: undefined });
  });

  it('returns one URL per host, with the same login and parameters', () => {
    const url = 'postgres://user:p@ss@one:5432,[::1]:5433,three/app?connect_timeout=2&target_session_attrs=read-write';
    expect(address(url)).toEqual({
      urls: ['one:5432', '[::1]:5433', 'three'].map((host) => `postgres://user:p%40ss@${host}/app?connect_timeout=2`),
      sessions: 'writable',
      ssl: undefined,
    });
  });

  it.each([
    ['any', 'any'],
    ['primary', 'writable'],
    ['standby', 'read-only'],
    ['read-only', 'read-only'],
  ])('reads target_session_attrs %s', (attrs, sessions) => {
    expect(address(`postgres://a,b/app?target_session_attrs=${attrs}`).sessions).toBe(sessions);
  });

  it.each([
    ['sslmode=disable', false],
    ['sslmode=require', {}],
    ['sslmode=verify-full', {}],
    ['sslmode=verify-full&sslrootcert=system', {}],
    ['sslmode=no-verify', { rejectUnauthorized: false }],
  ])('reads from %s how to verify the server', (parameters, ssl) => {
    expect(address(`postgres://host/app?${parameters}`)).toEqual({
      urls: ['postgres://host/app'],
      sessions: 'any',
      ssl,
    });
  });

  it('trusts the authority in sslrootcert, and then verifies the server', () => {
    expect(address(`postgres://host/app?sslrootcert=${authority}`).ssl).toEqual({ ca: 'an authority' });
    const ssl = address(`postgres://host/app?sslmode=verify-ca&sslrootcert=${authority}`).ssl;
    expect(ssl).toEqual({ ca: 'an authority', checkServerIdentity: expect.any(Function) });
  });

  it('keeps login and parameters out of hostsOf', () => {
    expect(hostsOf('postgres://user:hunter2@one:5432,two/app?sslmode=require')).toBe('one:5432,two');
    expect(hostsOf('postgres:///app')).toBe('localhost');
  });
});
