import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Names of all settings. */
export const settingNames = Object.keys(parseEnv(readFileSync(`${root}.env.example`, 'utf8')));

/** Those that are secrets, or URLs that carry a password. */
export const secretNames = settingNames.filter(
  (name) => /(SECRET|_KEY|_TOKEN|PASSWORD|_HEADERS)$/.test(name) || /^(DATABASE|REDIS)_(\w+_)?URL$/.test(name),
);
