import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { eventually } from '../eventually.js';
import { freePort } from './free-port.mjs';
import { ensurePgBouncerInstalled } from './pgbouncer-server.mjs';

export interface PgBouncerOptions {
  /** The folder of the configuration. */
  folder: string;
  /** URL of the database, with one host; clients log in with the same role and password. */
  databaseUrl: string;
  /** Additional lines of `[pgbouncer]`, such as `default_pool_size`. */
  settings?: Record<string, string>;
  /** Called for each process, so that it can be ended even if the caller is killed. */
  onStart?: (pid: number) => void;
  onExit?: (pid: number) => void;
}

export interface PgBouncer {
  readonly port: number;
  /** URL of the same database, through the pooler. */
  readonly url: string;
  /** SIGKILL, then a new process on the same port. */
  restart(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Switches to another database server; connections to the former one end with their transactions. */
  pointTo(databaseUrl: string): Promise<void>;
  /** Runs a command on its console: `SHOW POOLS`, `RECONNECT` … */
  command<Row extends pg.QueryResultRow>(text: string): Promise<Row[]>;
  stop(): Promise<void>;
}

/** Starts a PgBouncer in transaction mode on a free port, without settings specific to the service. */
export async function startPgBouncer(options: PgBouncerOptions): Promise<PgBouncer> {
  const program = ensurePgBouncerInstalled();
  const pooler = new Pooler(program, options, await freePort());
  await pooler.start();
  return pooler;
}

class Pooler implements PgBouncer {
  private child: ChildProcess | undefined;
  private databaseUrl: string;

  constructor(
    private readonly program: string,
    private readonly options: PgBouncerOptions,
    readonly port: number,
  ) {
    this.databaseUrl = options.databaseUrl;
  }

  get url(): string {
    const url = new URL(this.databaseUrl);
    url.host = `127.0.0.1:${this.port}`;
    return url.href;
  }

  async start(): Promise<void> {
    const file = await this.configure();
    // PgBouncer refuses to run as root
    const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
    const child = spawn(this.program, ['-q', ...user, file], { stdio: 'ignore' });
    this.child = child;
    child.once('exit', () => child.pid !== undefined && this.options.onExit?.(child.pid));
    if (child.pid !== undefined) this.options.onStart?.(child.pid);
    await eventually(() => this.command('SHOW VERSION'));
  }

  async restart(): Promise<void> {
    await this.kill();
    await this.start();
  }

  async kill(): Promise<void> {
    const child = this.child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  stop(): Promise<void> {
    return this.kill();
  }

  async pointTo(databaseUrl: string): Promise<void> {
    this.databaseUrl = databaseUrl;
    await this.configure();
    await this.command('RELOAD');
  }

  async command<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
    const url = new URL(this.url);
    url.pathname = '/pgbouncer';
    const client = new pg.Client({ connectionString: url.href, connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  private async configure(): Promise<string> {
    const { folder, settings } = this.options;
    const { hostname, port, username, password, pathname } = new URL(this.databaseUrl);
    const users = join(folder, 'users.txt');
    await write(users, `"${username}" "${decodeURIComponent(password)}"\n`);
    const lines = {
      listen_addr: '127.0.0.1',
      listen_port: String(this.port),
      unix_socket_dir: '',
      auth_type: 'scram-sha-256',
      auth_file: users,
      admin_users: username,
      pool_mode: 'transaction',
      max_client_conn: '1000',
      default_pool_size: '20',
      // a server that is up again is tried again soon
      server_login_retry: '1',
      ...settings,
    };
    const database = `${pathname.slice(1)} = host=${hostname} port=${port}`;
    const text = Object.entries(lines).map(([name, value]) => `${name} = ${value}\n`);
    return write(join(folder, 'pgbouncer.ini'), `[databases]\n${database}\n[pgbouncer]\n${text.join('')}`);
  }
}

/** Readable for the account that PgBouncer runs as. */
async function write(file: string, text: string): Promise<string> {
  await writeFile(file, text);
  await chmod(file, 0o644);
  return file;
}
