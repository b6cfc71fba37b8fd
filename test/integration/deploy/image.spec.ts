import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { VERSION } from '../../../src/platform/config/config.js';
import { root } from '../../support/deploy/settings.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'image-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

const left = (...paths: string[]) => paths.filter((path) => existsSync(join(folder, path)));

describe('scripts/trim-image.mjs', () => {
  const trim = () => execFileSync(process.execPath, [`${root}scripts/trim-image.mjs`, 'node_modules'], { cwd: folder });

  it('removes files that are not loaded, and keeps code and licenses', () => {
    const kept = ['a/index.js', 'a/data.json', 'a/LICENSE.md', 'a/NOTICE', 'a/lib/test/code.js', 'typeorm/index.js'];
    const removed = [
      'a/index.d.ts',
      'a/index.js.map',
      'a/README.md',
      'a/test/a.js',
      'a/.github/x.yml',
      'typeorm/browser/x.js',
    ];
    const paths = (names: string[]) => names.map((name) => `node_modules/${name}`);
    write({ 'node_modules/a/package.json': '{}', 'node_modules/typeorm/package.json': '{}' });
    write(Object.fromEntries(paths([...kept, ...removed]).map((path) => [path, ''])));
    trim();
    expect(left(...paths([...kept, ...removed]))).toEqual(paths(kept));
  });

  it('removes links to missing workspaces, and follows no links', () => {
    write({ 'packages/receiver/README.md': '', 'node_modules/x/package.json': '{}' });
    symlinkSync('../packages/receiver', join(folder, 'node_modules/receiver'));
    symlinkSync('../packages/client', join(folder, 'node_modules/client'));
    trim();
    expect(left('node_modules/receiver', 'packages/receiver/README.md')).toHaveLength(2);
    expect(() => readFileSync(join(folder, 'node_modules/client'))).toThrow('ENOENT');
  });
});

describe('scripts/check-image.mjs', () => {
  const check = () => {
    mkdirSync(join(folder, 'scripts'));
    cpSync(`${root}scripts/check-image.mjs`, join(folder, 'scripts/check-image.mjs'));
    return spawnSync(process.execPath, [join(folder, 'scripts/check-image.mjs')], { encoding: 'utf8' });
  };

  it('fails when a lazily imported package is missing', () => {
    write({
      'dist/main.js': "import { a } from 'here';\nexport const lazy = () => import('gone/part.js');\n",
      'node_modules/here/package.json': '{"main":"index.js"}',
      'node_modules/here/index.js': 'exports.a = 1;',
    });
    const { status, stderr } = check();
    expect([status, stderr.trim().split('\n')]).toEqual([1, [expect.stringMatching(/^gone\/part\.js: /)]]);
  });

  it('fails when a package lacks a part of itself', () => {
    write({
      'dist/main.js': "import 'broken';\n",
      'node_modules/broken/package.json': '{"main":"index.js"}',
      'node_modules/broken/index.js': "require('./part');",
    });
    expect(check().status).toBe(1);
  });
});

describe('scripts/installed-sbom.mjs', () => {
  const reference = (name: string) => ({ 'bom-ref': name, type: 'library' });
  const locked = (...names: string[]) =>
    JSON.stringify({
      serialNumber: 'urn:uuid:random',
      metadata: { timestamp: 'now', component: reference('app@1') },
      components: names.map(reference),
      dependencies: [{ ref: 'app@1', dependsOn: names }, ...names.map((ref) => ({ ref, dependsOn: [] }))],
    });
  const sbom = (input: string, env: Record<string, string> = {}) =>
    spawnSync(process.execPath, [`${root}scripts/installed-sbom.mjs`], { cwd: folder, input, encoding: 'utf8', env });

  it('lists installed packages, also scoped and nested ones, in a stable order', () => {
    const packages = { a: 'a@1', '@s/b': '@s/b@2', 'a/node_modules/c': 'c@3' };
    for (const [path, full] of Object.entries(packages)) {
      const at = full.lastIndexOf('@');
      write({
        [`node_modules/${path}/package.json`]: JSON.stringify({ name: full.slice(0, at), version: full.slice(at + 1) }),
      });
    }
    const { stdout } = sbom(locked('a@1', '@s/b@2', 'c@3', 'c@4', 'jest@30'), { SOURCE_DATE_EPOCH: '86400' });
    const document = JSON.parse(stdout) as { components: object[]; dependencies: object[]; metadata: object };
    expect(document.components).toEqual(['a@1', '@s/b@2', 'c@3'].map(reference));
    expect(document.dependencies[0]).toEqual({ ref: 'app@1', dependsOn: ['a@1', '@s/b@2', 'c@3'] });
    expect(document.metadata).toMatchObject({ timestamp: '1970-01-02T00:00:00.000Z' });
    expect(document).not.toHaveProperty('serialNumber');
  });

  it('fails when an installed package is not in the lock file', () => {
    write({ 'node_modules/a/package.json': '{"name":"a","version":"1"}' });
    const { status, stderr } = sbom(locked('b@1'));
    expect([status, stderr]).toEqual([1, expect.stringContaining('a@1 is not in package-lock.json')]);
  });
});

describe('The Dockerfile', () => {
  const text = readFileSync(`${root}Dockerfile`, 'utf8');

  it('copies existing files that .dockerignore does not exclude', () => {
    const lines = readFileSync(`${root}.dockerignore`, 'utf8').split('\n');
    const allowed = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    const sources = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names]) => names!.split(' '));
    expect(sources.length).toBeGreaterThan(10);
    expect(sources.filter((name) => !existsSync(root + name))).toEqual([]);
    const through = (name: string) => allowed.some((path) => `${name}/`.startsWith(`${path}/`));
    expect(sources.map((name) => name.replace('./', '')).filter((name) => !through(name))).toEqual([]);
  });

  it('copies the scripts of a build before it runs', () => {
    const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { scripts: Record<string, string> };
    const builds = Object.entries(scripts).filter(([name]) => name === 'build' || name.startsWith('build:'));
    const names = builds.flatMap(([, command]) => command.match(/scripts\/\S+\.mjs/g) ?? []);
    expect(names.length).toBeGreaterThan(2);
    const [before] = text.split('RUN npm run build');
    for (const name of names) expect(before).toContain(` ${name} `);
  });

  it('keeps npm’s downloads between builds, outside of the image', () => {
    for (const [command] of text.matchAll(/^RUN .*npm ci.*$/gm))
      expect(command).toContain('--mount=type=cache,target=/root/.npm ');
  });

  it('labels the image with the version of the package', () => {
    expect(text).toContain(`ARG VERSION=${VERSION}\n`);
    for (const label of ['version', 'revision', 'source', 'licenses'])
      expect(text).toContain(`org.opencontainers.image.${label}=`);
  });
});
