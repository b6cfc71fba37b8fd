import { readFileSync } from 'node:fs';

/** The user that docs/operate/redis.md tells operators to create, with only the required rights. */
export interface DocumentedUser {
  /** The line of an ACL file, after `user `. */
  line: string;
  env: { REDIS_USERNAME: string; REDIS_PASSWORD: string };
}

export function documentedUser(): DocumentedUser {
  const text = readFileSync(new URL('../../../docs/operate/redis.md', import.meta.url), 'utf8');
  const [, line] = /^user (.*)$/m.exec(text)!;
  const [, name, password] = /^(\S+) .*>(\S+)/.exec(line!)!;
  return { line: line!, env: { REDIS_USERNAME: name!, REDIS_PASSWORD: password! } };
}
