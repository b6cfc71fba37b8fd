import { describe, expect, it, jest } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HostsFile, parseHosts } from './host-resolver.js';

describe('HostsFile', () => {
  it('collects the addresses of a name from all lines', () => {
    const names = parseHosts(
      '# comment\n127.0.0.1\tlocalhost  Alias # more\n::1 localhost\n10.0.0.5 db\r\n10.0.0.5 db\nnonsense here\n\n',
    );
    expect(Object.fromEntries(names)).toEqual({
      localhost: ['127.0.0.1', '::1'],
      alias: ['127.0.0.1'],
      db: ['10.0.0.5'],
    });
  });

  it('resolves localhost and the names below it without a file', () => {
    const hosts = new HostsFile('/no/such/file');
    expect(hosts.addressesOf('localhost')).toEqual(['127.0.0.1', '::1']);
    expect(hosts.addressesOf('a.localhost')).toEqual(['127.0.0.1', '::1']);
    expect(hosts.addressesOf('shop.example')).toBeUndefined();
  });

  it('keeps its names while the file cannot be read, and drops them when it is deleted', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hosts-'));
    const path = join(folder, 'hosts');
    const now = jest.spyOn(performance, 'now');
    try {
      writeFileSync(path, '10.9.8.7 db\n');
      const hosts = new HostsFile(path);
      const readAt = (ms: number) => (now.mockReturnValue(ms), hosts.addressesOf('db'));
      expect(readAt(0)).toEqual(['10.9.8.7']);
      rmSync(path);
      mkdirSync(path); // EISDIR: it exists and cannot be read, as with EMFILE
      expect(readAt(10_000)).toEqual(['10.9.8.7']);
      rmSync(path, { recursive: true });
      expect(readAt(20_000)).toBeUndefined();
    } finally {
      now.mockRestore();
      rmSync(folder, { recursive: true });
    }
  });

  it('reads the file from disk', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hosts-'));
    try {
      writeFileSync(join(folder, 'hosts'), '10.9.8.7 host.docker.internal\n');
      expect(new HostsFile(join(folder, 'hosts')).addressesOf('host.docker.internal')).toEqual(['10.9.8.7']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
