import type { Server } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { OwnAddress } from './own-address.js';

const sandbox = { ledger: true, notificationUrl: undefined };
const serverAt = (address: string, port: number) => ({ address: () => ({ address, port, family: '' }) }) as Server;

describe('OwnAddress.url', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:4000'],
    ['0.0.0.0', 'http://127.0.0.1:4000'],
    ['::', 'http://[::1]:4000'],
    ['10.0.0.7', 'http://10.0.0.7:4000'],
    ['fd00::7', 'http://[fd00::7]:4000'],
  ])('for a process that listens on %s is %s', (host, url) => {
    const address = new OwnAddress({ host: 'ignored', port: 1, sandbox });
    address.serveWith(serverAt(host, 4_000));
    expect(address.url).toBe(url);
  });

  it('uses the settings in a process that does not serve the API', () => {
    expect(new OwnAddress({ host: '0.0.0.0', port: 3_000, sandbox }).url).toBe('http://127.0.0.1:3000');
  });

  it('uses SANDBOX_NOTIFICATION_URL, regardless of the process’s own address', () => {
    const notificationUrl = 'https://pay.example';
    const address = new OwnAddress({ host: '0.0.0.0', port: 3_000, sandbox: { notificationUrl } });
    address.serveWith(serverAt('127.0.0.1', 4_000));
    expect(address.url).toBe(notificationUrl);
  });
});
