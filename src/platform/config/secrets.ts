import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from './config-error.js';

const PLACEHOLDER = /change[-_ ]?(me|this|it)|placeholder|your[-_ ]?secret/i;
/** A secret of 32 random hex digits has fewer once in a billion billion times, one of 16 once in 28,000. */
const MIN_DIFFERENT = 6;

/**
 * What shows that nobody drew `secret` at random: fewer than six different characters, one piece over and over, or what
 * examples hold in place of a secret. `undefined` when nothing does, which is no proof. Does not repeat the secret.
 */
export function weaknessOf(secret: string): string | undefined {
  const different = new Set(secret).size;
  if (different < MIN_DIFFERENT) return `only ${different} different characters`;
  if (isRepetition(secret)) return 'one piece over and over';
  return PLACEHOLDER.test(secret) ? 'a placeholder' : undefined;
}

/** Whether the second half follows from the first: the text equals itself, moved by half of its length or less. */
function isRepetition(text: string): boolean {
  for (let period = 1; period <= text.length / 2; period++) {
    if (text.startsWith(text.slice(period))) return true;
  }
  return false;
}

export interface GeneratedSecrets {
  jwtSecret: string;
  /** 32 bytes in base64. */
  encryptionKey: string;
}

/**
 * The secrets of the embedded mode, made once and kept in `dataDir`/secrets.json. The file appears complete or not at
 * all (a link to a finished file), so processes that start together read the same one, and a crash leaves no half of it.
 */
export function generatedSecrets(dataDir: string): GeneratedSecrets {
  const file = join(dataDir, 'secrets.json');
  let text: string;
  try {
    if (!existsSync(file)) make(dataDir, file);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new ConfigError('DATA_DIR', `${dataDir} (${reason})`, 'a folder that this process may read and write');
  }
  return parse(text, dataDir);
}

function make(dataDir: string, file: string): void {
  mkdirSync(dataDir, { recursive: true });
  const secret = () => randomBytes(32).toString('base64');
  const secrets: GeneratedSecrets = { jwtSecret: secret(), encryptionKey: secret() };
  const unfinished = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(unfinished, JSON.stringify(secrets), { mode: 0o600, flag: 'wx', flush: true });
    linkSync(unfinished, file);
  } catch (error) {
    // another process was first, and its file counts
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** JSON.parse's own message would show what it read. */
function parse(text: string, dataDir: string): GeneratedSecrets {
  try {
    const { jwtSecret, encryptionKey } = JSON.parse(text) as Partial<Record<keyof GeneratedSecrets, unknown>>;
    if (typeof jwtSecret === 'string' && typeof encryptionKey === 'string') return { jwtSecret, encryptionKey };
  } catch {
    // the same as a file that lacks something
  }
  throw new ConfigError('DATA_DIR', `${dataDir} with a damaged secrets.json`, 'a folder whose secrets.json is whole');
}
