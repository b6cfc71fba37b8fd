import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = new URL('../', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  exports: Record<string, { types: string; default: string }>;
  dependencies?: object;
};

interface Packed {
  size: number;
  unpackedSize: number;
  files: { path: string; size: number }[];
}

describe('the package', () => {
  it('contains only its exports, their types and a README', () => {
    const output = execFileSync('npm', ['pack', '--dry-run', '--json'], { cwd: fileURLToPath(root), encoding: 'utf8' });
    const [{ size, unpackedSize, files }] = JSON.parse(output) as [Packed];
    process.stdout.write(`@payment-orchestrator/receiver: ${size} bytes packed, ${unpackedSize} unpacked\n`);
    const paths = files.map(({ path }) => path);
    const named = Object.values(manifest.exports).flatMap((entry) => [entry.types, entry.default]);
    expect(paths).toEqual(expect.arrayContaining([...named.map((path) => path.slice(2)), 'package.json', 'README.md']));
    expect(paths.filter((path) => !/^(dist\/[\w-]+(\.d\.ts|\.js)|package\.json|README\.md)$/.test(path))).toEqual([]);
    // receivers load these: types are erased, and only tests and tools sign
    const loaded = files.filter(({ path }) => path.endsWith('.js') && path !== 'dist/signing.js');
    expect(loaded.length).toBeGreaterThan(5);
    expect(loaded.reduce((sum, { size: bytes }) => sum + bytes, 0)).toBeLessThan(32_000);
  });

  it('depends on no other package', () => {
    expect(manifest.dependencies).toBeUndefined();
  });
});
