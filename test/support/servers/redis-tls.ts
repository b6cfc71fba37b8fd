import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAuthority } from './hostile-certificates.js';
import { RedisNode } from './redis-node.js';
import { freePort } from './free-port.mjs';

/** The certificate is only valid for this name, not for 127.0.0.1. */
export const TLS_HOST = 'localhost';

export interface TlsFiles {
  /**
   * Paths of PEM files: of the authority that issued the servers' certificate, and of a client's certificate and key.
   */
  caFile: string;
  clientCertFile: string;
  clientKeyFile: string;
  /** Arguments of a redis-server that accepts TLS on `port`, only from clients with a certificate of the authority. */
  argsFor(port: number): string[];
}

/** A new authority with certificates for servers and clients, written into a new folder inside `folder`. */
export async function createTlsFiles(folder: string): Promise<TlsFiles> {
  const own = await mkdtemp(join(folder, 'tls-'));
  const authority = createAuthority('Redis test authority');
  const [server, client] = [authority.issue({ names: [TLS_HOST] }), authority.issue({ names: ['client'] })];
  const write = async (name: string, content: string): Promise<string> => {
    const path = join(own, name);
    await writeFile(path, content);
    return path;
  };
  const caFile = await write('ca.pem', authority.cert);
  const [certFile, keyFile] = [await write('server.pem', server.cert), await write('server.key', server.key)];
  return {
    caFile,
    clientCertFile: await write('client.pem', client.cert),
    clientKeyFile: await write('client.key', client.key),
    argsFor: (port) => [
      ...['--tls-port', String(port), '--tls-auth-clients', 'yes'],
      ...['--tls-cert-file', certFile, '--tls-key-file', keyFile, '--tls-ca-cert-file', caFile],
    ],
  };
}

export interface TlsRedis {
  /** A rediss:// URL, without a user. */
  url: string;
  tlsFiles: TlsFiles;
  /** `call` and `restart`: over the port without TLS, as the default user. */
  node: RedisNode;
}

/** A Redis with TLS. `users` are lines of Redis's ACL file, such as `app on >password ~key +get`. */
export async function startTlsRedis(folder: string, ...users: string[]): Promise<TlsRedis> {
  const [tlsFiles, port] = [await createTlsFiles(folder), await freePort()];
  const args = [...tlsFiles.argsFor(port), ...users.flatMap((user) => ['--user', ...user.split(' ')])];
  const node = await RedisNode.start(folder, { args });
  return { url: `rediss://${TLS_HOST}:${port}`, tlsFiles, node };
}
