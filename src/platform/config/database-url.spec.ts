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

describe('the URL of a database', () => {
  it.each([
    'postgres://user:p%40ss@localhost:5432/app',
    'postgres:///app?host=/var/run/postgresql',
    'postgresql://user@[::1]/app?application_name=a%20b',
  ])('is taken as it is when nothing of it is ours to carry out: %s', (url) => {
    expect(address(url)).toEqual({ urls: [url], sessions: 'any', ssl: undefined });
  });

  it('names one host after the other, with the login and parameters of them all', () => {
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
  ])('asks for servers that are %s', (attrs, sessions) => {
    expect(address(`postgres://a,b/app?target_session_attrs=${attrs}`).sessions).toBe(sessions);
  });

  it.each([
    ['sslmode=disable', false],
    ['sslmode=require', {}],
    ['sslmode=verify-full', {}],
    ['sslmode=verify-full&sslrootcert=system', {}],
    ['sslmode=no-verify', { rejectUnauthorized: false }],
  ])('says with %s how its server is verified', (parameters, ssl) => {
    expect(address(`postgres://host/app?${parameters}`)).toEqual({
      urls: ['postgres://host/app'],
      sessions: 'any',
      ssl,
    });
  });

  it('trusts the authority of a file, and verifies when it names one', () => {
    expect(address(`postgres://host/app?sslrootcert=${authority}`).ssl).toEqual({ ca: 'an authority' });
    const ssl = address(`postgres://host/app?sslmode=verify-ca&sslrootcert=${authority}`).ssl;
    expect(ssl).toEqual({ ca: 'an authority', checkServerIdentity: expect.any(Function) });
  });

  it('is shown by its hosts alone', () => {
    expect(hostsOf('postgres://user:hunter2@one:5432,two/app?sslmode=require')).toBe('one:5432,two');
    expect(hostsOf('postgres:///app')).toBe('localhost');
  });
});
