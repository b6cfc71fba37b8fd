// Jest loads every module again for every test file: 0.8 s of CPU time where a file starts an application, and some 40 MB
// that Node 20 never frees. So packages and src are loaded once per worker here, as they are once per process in
// production; what lies in test, and every spec, still is the file's own.
//
// What a spec may rely on: spies are taken back at its end, so are the clock and environment variables
// (shared-environment.cjs). What it changes in a module's own state by other means, others of its worker see.
const { sep } = require('node:path');
const { default: Runtime } = require('jest-runtime');

/** Loads what is shared. Never torn down: what it has loaded may import more at any time. */
let library;
/** One load after the other: two at once would meet modules that are half linked. */
let loading = Promise.resolve();

class SharedModulesRuntime extends Runtime {
  constructor(...options) {
    super(...options);
    const [{ rootDir }] = options;
    const { watch, watchAll, collectCoverage } = options.at(-1);
    // sources change meanwhile, or are counted by file
    if (watch || watchAll || collectCoverage) return;
    library ??= new Runtime(...options);
    // From Node 24.9 on Jest loads what a file imports in one synchronous walk that never asks resolveModule, and only what
    // import() names would be shared: two of each class. Where resolving may take time it does not walk.
    this._resolution.hasDistinctAsyncResolver = () => true;
    const resolveOwn = this.esmLoader.resolveModule.bind(this.esmLoader);
    this.esmLoader.resolveModule = async (specifier, from, context) => {
      const isShared = await this.isShared(specifier, from, rootDir);
      return isShared ? loadShared(specifier, from, context) : resolveOwn(specifier, from, context);
    };
  }

  async isShared(specifier, from, rootDir) {
    if (specifier === '@jest/globals' || specifier.startsWith('data:') || specifier.includes('?')) return false;
    const path = await this._resolution.resolveEsmAsync(from, specifier);
    const isOfProject = path.startsWith(rootDir + sep) && !path.startsWith(rootDir + sep + 'test' + sep);
    return isOfProject && !/\.(spec\.tsx?|json)$/.test(path);
  }

  /** For stack traces: those of the file and of what is shared. */
  getSourceMaps() {
    const own = super.getSourceMaps();
    if (!library) return own;
    const maps = [own, library.getSourceMaps()];
    return {
      get: (path) => maps.map((each) => each.get(path)).find((found) => found !== undefined),
      *[Symbol.iterator]() {
        for (const each of maps) yield* each;
      },
    };
  }
}

function loadShared(specifier, from, context) {
  const loaded = loading.then(() => library.esmLoader.dynamicImportFromCjs(specifier, from, context));
  loading = loaded.catch(() => undefined);
  return loaded;
}

module.exports = { __esModule: true, default: SharedModulesRuntime };
