import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigError } from '../platform/config/config-error.js';
import { startEmbeddedDatabase } from './embedded-database.js';

describe('startEmbeddedDatabase', () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'embedded-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('names DATA_DIR when the folder cannot be used', async () => {
    writeFileSync(join(folder, 'file'), '');
    const dataDir = join(folder, 'file', 'data');
    const error: unknown = await startEmbeddedDatabase(dataDir).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as Error).message).toBe(
      `DATA_DIR: got ${dataDir} (ENOTDIR), takes a folder that this process may read and write`,
    );
  });
});
