/** The rules of the house (docs/architecture.md): who may import whom. */
const features = 'audit|auth|shops|flows|providers|payments|webhooks';

/** A feature may import `allowed` features besides itself. */
const featureImports = (feature, allowed) => ({
  name: `${feature}-imports`,
  comment: `${feature} may import ${allowed.length ? allowed.join(', ') : 'no other feature'}`,
  severity: 'error',
  from: { path: `^src/${feature}/` },
  to: { path: `^src/(${features})/`, pathNot: `^src/(${[feature, ...allowed].join('|')})/` },
});

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'shared-is-pure',
      comment: 'shared imports nothing of ours, no Nest and no I/O',
      severity: 'error',
      from: { path: '^src/shared/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^src/(?!shared/)|^node_modules/(@nestjs|typeorm|pg|undici|bullmq|ioredis)/' },
    },
    {
      name: 'platform-knows-no-business',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: `^src/(${features}|cli)/` },
    },
    featureImports('audit', ['auth']),
    featureImports('auth', ['audit']),
    featureImports('shops', ['audit', 'auth', 'providers']),
    featureImports('providers', ['auth']),
    featureImports('flows', ['audit', 'auth', 'shops']),
    featureImports('webhooks', ['audit', 'auth', 'shops']),
    featureImports('payments', ['audit', 'auth', 'flows', 'providers', 'shops', 'webhooks']),
    {
      name: 'across-features-only-services',
      comment:
        'another feature is entered through its module, its services and its named ports; never its entities, controllers or queries',
      severity: 'error',
      from: { path: `^src/(${features})/` },
      to: {
        path: `^src/(${features})/.+\\.(entity|controller|queries)\\.ts$`,
        pathNot: '^src/$1/',
      },
    },
    {
      name: 'no-dev-dependencies-in-src',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.spec\\.ts$' },
      to: { dependencyTypes: ['npm-dev'] },
    },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
