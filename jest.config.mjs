const swc = (parser, transform) => [
  '<rootDir>/test/support/runner/typescript-transform.cjs',
  {
    swcrc: false,
    module: { type: 'es6' },
    sourceMaps: 'inline',
    jsc: {
      target: 'es2023',
      keepClassNames: true,
      parser: { syntax: 'typescript', decorators: true, dynamicImport: true, ...parser },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true, ...transform },
    },
  },
];

const shared = {
  // packages and src are loaded once per worker, not once per file
  testEnvironment: '<rootDir>/test/support/runner/shared-environment.cjs',
  runtime: '<rootDir>/test/support/runner/shared-modules-runtime.cjs',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    // from source, so that its specs and those of the service share its classes
    '^@payment-orchestrator/routing$': '<rootDir>/packages/routing/src/index.ts',
    '^@payment-orchestrator/routing/(.*)$': '<rootDir>/packages/routing/src/$1.ts',
  },
  transform: { '\\.ts$': swc(), '\\.tsx$': swc({ tsx: true }, { react: { runtime: 'automatic' } }) },
};

export const withServers = {
  ...shared,
  globalSetup: '<rootDir>/test/support/servers/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/servers/global-teardown.mjs',
};

/** These options apply to all projects; Jest ignores them inside a project. */
export const common = {
  // ends a test that hangs; a busy machine takes several times as long as an idle one
  testTimeout: 180_000,
  // many tests wait more than they compute: two cores are idle for an eighth of the time with 4 workers, half of that with 5
  maxWorkers: 5,
  // Node 20 never frees the ES modules of a finished test file, about 9 MB: workers last a run. A new one loads modules again in 2.5 s
  workerIdleMemoryLimit: '1800MB',
  testSequencer: '<rootDir>/test/support/slow-first-sequencer.mjs',
  reporters: ['default', '<rootDir>/test/support/runner/slowest-files.mjs'],
};

export default {
  ...common,
  projects: [
    { ...shared, displayName: 'unit', testMatch: ['<rootDir>/{src,packages/*/src,console/src}/**/*.spec.ts'] },
    { ...withServers, displayName: 'integration', testMatch: ['<rootDir>/test/integration/**/*.spec.ts'] },
    { ...withServers, displayName: 'e2e', testMatch: ['<rootDir>/test/e2e/**/*.spec.ts'] },
  ],
};
