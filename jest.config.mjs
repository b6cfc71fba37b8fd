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
  // these options apply to all projects; Jest ignores them inside a project
  // ends a test that hangs; a busy machine takes several times as long as an idle one
  testTimeout: 180_000,
  // many tests wait more than they compute: two cores are idle for an eighth of the time with 4 workers, half of that with 5
  maxWorkers: 5,
  // Node 20 never frees the ES modules of a finished test file, about 9 MB. A new worker loads shared modules again in 2.5 s
  workerIdleMemoryLimit: '700MB',
  testSequencer: '<rootDir>/test/support/slow-first-sequencer.mjs',
  projects: [
    { ...shared, displayName: 'unit', testMatch: ['<rootDir>/{src,packages/*/src,console/src}/**/*.spec.ts'] },
    { ...withServers, displayName: 'integration', testMatch: ['<rootDir>/test/integration/**/*.spec.ts'] },
    { ...withServers, displayName: 'e2e', testMatch: ['<rootDir>/test/e2e/**/*.spec.ts'] },
  ],
};
