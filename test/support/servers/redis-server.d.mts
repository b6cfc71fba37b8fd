import type { ChildProcess } from 'node:child_process';

export function ensureRedisInstalled(): void;
export function startRedisServer(
  folder: string,
  port?: number,
): Promise<{ child: ChildProcess; port: number; url: string }>;
