import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from './config-error.js';

const PLACEHOLDER = /change[-_ ]?(me|this|it)|placeholder|your[-_ ]?secret/i;
/** 32 random hex digits have fewer different ones once in a billion billion times, 16 random ones once in 28,000. */
const MIN_DIFFERENT = 6;

/**
 * A sign that `secret` was not generated at random: fewer than six different characters, one repeated piece, or a
 * placeholder from an example. `undefined`: no sign was found. Never contains the secret.
 */
export function weaknessOf(secret: string): string | undefined {
  const different = new Set(secret).size;
  if (different < MIN_DIFFERENT) return `only ${different} different characters`;
  if (isRepetition(secret)) return 'a repeated piece';
  return PLACEHOLDER.test(secret) ? 'a placeholder' : undefined;
}

/** Whether the text equals itself, shifted by half of its length or less. */
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
 * The secrets of the embedded mode, generated once and stored in `dataDir`/secrets.json. The file appears complete or
 * not at all, as a link to a finished file. So processes that start together read the same secrets, and a crash leaves
 * no partial file.
 */
export function generatedSecrets(dataDir: string): GeneratedSecrets {
  const file = join(dataDir, 'secrets.json');
  let text: string;
  try {
    if (!existsSync(file)) create(dataDir, file);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new ConfigError('DATA_DIR', `${dataDir} (${reason})`, 'a folder that this process may read and write');
  }
  return parse(text, dataDir);
}

function create(dataDir: string, file: string): void {
  mkdirSync(dataDir, { recursive: true });
  const secret = () => randomBytes(32).toString('base64');
  const secrets: GeneratedSecrets = { jwtSecret: secret(), encryptionKey: secret() };
  const unfinished = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(unfinished, JSON.stringify(secrets), { mode: 0o600, flag: 'wx', flush: true });
    linkSync(unfinished, file);
  } catch (error) {
    // another process was first: its file counts
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** JSON.parse's message would contain parts of the file. */
function parse(text: string, dataDir: string): GeneratedSecrets {
  try {
    const { jwtSecret, encryptionKey } = JSON.parse(text) as Partial<Record<keyof GeneratedSecrets, unknown>>;
    if (typeof jwtSecret === 'string' && typeof encryptionKey === 'string') return { jwtSecret, encryptionKey };
  } catch {
    // treated like a file that lacks a secret
  }
  throw new ConfigError('DATA_DIR', `${dataDir} with a damaged secrets.json`, 'a folder with a complete secrets.json');
}
