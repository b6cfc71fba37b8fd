import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HostsFile, parseHosts } from './host-resolver.js';

describe('the hosts file', () => {
  it('gathers the addresses of a name from all lines', () => {
    const names = parseHosts(
      '# comment\n127.0.0.1\tlocalhost  Alias # more\n::1 localhost\n10.0.0.5 db\r\n10.0.0.5 db\nnonsense here\n\n',
    );
    expect(Object.fromEntries(names)).toEqual({
      localhost: ['127.0.0.1', '::1'],
      alias: ['127.0.0.1'],
      db: ['10.0.0.5'],
    });
  });

  it('knows localhost and the names below it without a file', () => {
    const hosts = new HostsFile('/no/such/file');
    expect(hosts.addressesOf('localhost')).toEqual(['127.0.0.1', '::1']);
    expect(hosts.addressesOf('a.localhost')).toEqual(['127.0.0.1', '::1']);
    expect(hosts.addressesOf('shop.example')).toBeUndefined();
  });

  it('is read from disk', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hosts-'));
    try {
      writeFileSync(join(folder, 'hosts'), '10.9.8.7 host.docker.internal\n');
      expect(new HostsFile(join(folder, 'hosts')).addressesOf('host.docker.internal')).toEqual(['10.9.8.7']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
