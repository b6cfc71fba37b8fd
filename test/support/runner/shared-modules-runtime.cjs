// Jest loads every module again for every test file: 0.8 s of CPU time if a file starts an application, and about 40 MB
// that Node 20 never frees. So packages and src are loaded only once per worker here, as they are once per process in
// production. Modules in test, and every spec, are still loaded per file.
//
// At the end of a spec, spies, the clock and environment variables are restored (shared-environment.cjs). Other changes of
// a module's state are visible to later specs of the same worker.
const { sep } = require('node:path');
const { default: Runtime } = require('jest-runtime');

/** Loads shared modules. Never torn down, because loaded modules may import more at any time. */
let library;
/** One load at a time: concurrent loads would find modules that are only partly linked. */
let loading = Promise.resolve();

class SharedModulesRuntime extends Runtime {
  constructor(...options) {
    super(...options);
    const [{ rootDir }] = options;
    const { watch, watchAll, collectCoverage } = options.at(-1);
    // sources change between runs, or coverage is counted by file
    if (watch || watchAll || collectCoverage) return;
    library ??= new Runtime(...options);
    // From Node 24.9 on Jest loads the imports of a file in one synchronous walk that never calls resolveModule. Then
    // only modules of import() would be shared, and each class would exist twice. Jest does not walk if resolving may
    // be asynchronous.
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

  /** For stack traces: source maps of the file and of the shared modules. */
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
