const swc = [
  '@swc/jest',
  {
    swcrc: false,
    module: { type: 'es6' },
    sourceMaps: 'inline',
    jsc: {
      target: 'es2023',
      keepClassNames: true,
      parser: { syntax: 'typescript', decorators: true, dynamicImport: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
    },
  },
];

const shared = {
  // packages and src are loaded once per worker, not once per file
  testEnvironment: '<rootDir>/test/support/runner/shared-environment.cjs',
  runtime: '<rootDir>/test/support/runner/shared-modules-runtime.cjs',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '\\.ts$': swc },
};

const withServers = {
  ...shared,
  globalSetup: '<rootDir>/test/support/servers/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/servers/global-teardown.mjs',
};

export default {
  // these two count for all projects; Jest ignores them inside a project
  // it ends what hangs; a busy machine takes several times as long as an idle one
  testTimeout: 180_000,
  // many tests wait more than they compute: with 4, two cores are idle for an eighth of the time, with 5 for half of that
  maxWorkers: 5,
  // Node 20 frees no ES module of a test file that has ended, some 9 MB. A new worker loads all that is shared again, 2.5 s
  workerIdleMemoryLimit: '700MB',
  testSequencer: '<rootDir>/test/support/slow-first-sequencer.mjs',
  projects: [
    { ...shared, displayName: 'unit', testMatch: ['<rootDir>/{src,packages/*/src,console/src}/**/*.spec.ts'] },
    { ...withServers, displayName: 'integration', testMatch: ['<rootDir>/test/integration/**/*.spec.ts'] },
    { ...withServers, displayName: 'e2e', testMatch: ['<rootDir>/test/e2e/**/*.spec.ts'] },
  ],
};
