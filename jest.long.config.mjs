import { common, withServers } from './jest.config.mjs';

// `npm run test:long`: what finds more with more time. `*.search.spec.ts` also run in `npm test`, with fewer cases.
process.env.GENERATED_FACTOR ??= '8';
// the database server of most users: with a JIT compiler and its own defaults
process.env.TEST_POSTGRES ??= 'debian';

export default {
  ...common,
  projects: [
    {
      ...withServers,
      displayName: 'long',
      testMatch: ['<rootDir>/test/long/**/*.spec.ts', '<rootDir>/{src,test,packages/*/src}/**/*.search.spec.ts'],
    },
  ],
};
