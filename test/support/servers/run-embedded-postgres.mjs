// A process that uses the embedded PostgreSQL of a folder, for tests. argv is { module, dataDir, arch? } as JSON.
// Prints { url, port } or { error, name, folder, needs } as one line. A line on stdin makes it call stop(): it prints {
// stopped } and exits.
import { once } from 'node:events';

const { module, dataDir, arch } = JSON.parse(process.argv[2]);
if (arch) Object.defineProperty(process, 'arch', { value: arch });
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

try {
  const { startEmbeddedPostgres } = await import(module);
  const server = await startEmbeddedPostgres({ dataDir, flags: ['-c', 'fsync=off'] });
  say({ url: server.url, port: server.port });
  await once(process.stdin, 'data');
  say({ stopped: await server.stop() });
} catch (error) {
  say({ error: error.message, cause: error.cause?.message, name: error.name, ...error });
}
process.exit();
