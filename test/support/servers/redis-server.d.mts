import type { ChildProcess } from 'node:child_process';

export interface RedisServerOptions {
  /** Read first, instead of our defaults. */
  configFile?: string;
  /** Additional arguments of redis-server, such as `--requirepass x`. */
  args?: string[];
}

export function ensureRedisInstalled(): void;
export function startRedisServer(
  folder: string,
  port?: number,
  options?: RedisServerOptions,
): Promise<{ child: ChildProcess; port: number; url: string }>;
