import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { requireWritable, writeArchive } from './archive.js';

describe('writeArchive', () => {
  let dir: string;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'archive-'));
  });
  afterEach(() => rm(dir, { recursive: true }));

  it('writes a new file of lines for each call, in the folder of the day', async () => {
    const at = new Date('2026-11-29T23:59:59.999Z');
    const paths = await Promise.all([1, 2].map(() => writeArchive(dir, 'payments-1-2', at, ['{"id":1}', '{"id":2}'])));
    expect(new Set(paths).size).toBe(2);
    expect((await readdir(join(dir, '2026-11-29'))).sort()).toEqual(paths.map((path) => path.split('/').at(-1)).sort());
    for (const path of paths) expect(await readFile(path, 'utf8')).toBe('{"id":1}\n{"id":2}\n');
  });

  it('follows requireWritable, which creates the folder and refuses one that it cannot write to', async () => {
    await requireWritable(join(dir, 'new', 'folder'));
    const file = join(dir, 'file');
    await writeFile(file, '');
    await expect(requireWritable(join(file, 'folder'))).rejects.toThrow(
      `RETENTION_ARCHIVE: got '${file}/folder', to which this process cannot write (ENOTDIR)`,
    );
  });
});
