/** The import rules (docs/internals/architecture.md). */
const features = 'access|audit|auth|console|events|insights|shops|flows|providers|payments|reconciliation|webhooks';

/**
 * The order of the folders in bench, test/support and the console: which other folders each folder may import. A folder
 * includes its own subfolders.
 */
const folderOrder = (part, folders) =>
  Object.entries(folders).map(([folder, allowed]) => ({
    name: `${part}/${folder}-imports`,
    comment: `${part}/${folder} may import ${allowed.length ? allowed.join(', ') : 'no other folder'} of ${part}`,
    severity: 'error',
    from: { path: `^${part}/${folder}/` },
    to: { path: `^${part}/[^/]+/`, pathNot: `^${part}/(${[folder, ...allowed].join('|')})/` },
  }));

/** Lets a feature import only the `allowed` features. */
const featureImports = (feature, allowed) => ({
  name: `${feature}-imports`,
  comment: `${feature} may import ${allowed.length ? allowed.join(', ') : 'no other feature'}`,
  severity: 'error',
  from: { path: `^src/${feature}/` },
  to: { path: `^src/(${features})/`, pathNot: `^src/(${[feature, ...allowed].join('|')})/` },
});

/**
 * The imports between the subfolders of a folder. `'delivery/webhook-sender'` permits one file only. The folder's own files
 * (modules, controllers that use several subfolders) may import all subfolders.
 */
const subfolderImports = (folder, subfolders) =>
  Object.entries(subfolders).map(([subfolder, allowed]) => ({
    name: `${folder}/${subfolder}-imports`,
    comment: `${folder}/${subfolder} may import ${allowed.length ? allowed.join(', ') : 'no other subfolder'}`,
    severity: 'error',
    from: { path: `^src/${folder}/${subfolder}/` },
    to: {
      path: `^src/${folder}/(${Object.keys(subfolders).join('|')})/`,
      pathNot: `^src/${folder}/(${[subfolder, ...allowed].map((name) => (name.includes('/') ? `${name}\\.` : `${name}/`)).join('|')})`,
    },
  }));

/** The files in subfolders of a feature that other features may import, in addition to its modules. */
const featurePorts = (feature, ports) => ({
  name: `${feature}-ports`,
  comment: `other features may import only the named files in subfolders of ${feature}`,
  severity: 'error',
  from: { path: `^src/(${features})/`, pathNot: `^src/${feature}/` },
  to: { path: `^src/${feature}/[^/]+/`, pathNot: `^src/${feature}/(${ports.join('|') || '-'})\\.ts$` },
});

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'shared-is-pure',
      comment: 'shared imports no other part of src, no Nest and no I/O',
      severity: 'error',
      from: { path: '^src/shared/' },
      to: { path: '^src/(?!shared/)|^node_modules/(@nestjs|typeorm|pg|undici|bullmq|ioredis)/' },
    },
    {
      name: 'platform-knows-no-business',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: `^src/(${features}|schema|cli|openapi)/` },
    },
    {
      name: 'schema-imports-the-platform',
      severity: 'error',
      from: { path: '^src/schema/' },
      to: { path: '^src/(?!schema/|platform/database/)' },
    },
    {
      name: 'features-know-no-upgrade',
      comment: 'only the start of a process and the command line migrate',
      severity: 'error',
      from: { path: `^src/(${features})/` },
      to: { path: '^src/schema/' },
    },
    featureImports('access', []),
    featureImports('audit', ['access']),
    featureImports('auth', ['access', 'audit']),
    featureImports('console', ['access', 'auth']),
    featureImports('shops', ['access', 'audit', 'providers', 'webhooks/fan-out']),
    featureImports('providers', ['access']),
    featureImports('flows', ['access', 'audit', 'shops', 'webhooks/fan-out']),
    featureImports('webhooks', ['access', 'audit', 'shops']),
    featureImports('payments', ['access', 'audit', 'flows', 'insights/approvals', 'providers', 'shops', 'webhooks']),
    featureImports('events', ['access', 'payments', 'webhooks']),
    featureImports('insights', ['access', 'shops', 'webhooks/fan-out']),
    featureImports('reconciliation', ['audit', 'payments', 'providers', 'shops']),
    {
      name: 'across-features-only-services',
      comment:
        'a feature may import the module, services and named files of another feature, but not its entities, controllers or queries',
      severity: 'error',
      from: { path: `^src/(${features})/` },
      to: {
        path: `^src/(${features})/.+\\.(entity|controller|queries)\\.ts$`,
        pathNot: '^src/$1/',
      },
    },
    // payments use these to route, record and answer
    featurePorts('flows', ['definition/payment-method.dto', 'routing/routing.service', 'routing/decision-trace.dto']),
    // other features get data about a payment from its webhook; a reconciliation compares charges
    featurePorts('payments', ['store/(known-charges|status-bodies)\\.service']),
    // the statement that writes an outcome logs it
    featurePorts('insights', ['approvals/attempt-changes-sql']),
    featurePorts('webhooks', [
      // a payment writes these with its change
      'outbox/(endpoint-policy\\.service|is-webhook-endpoint|lane-notifier|lanes\\.service|outbox-sql)',
      // an event and its deliveries commit with their cause
      'fan-out/fan-out-sql',
      'outbox/(shop-counters\\.service|stored-bodies\\.service|webhook-body)',
      // names of events
      'event-types/event-catalogue',
      // an erasure redacts deliveries
      'history/delivery-erasure\\.service',
    ]),
    // the definition, the routing, and the users of both
    ...subfolderImports('flows', {
      definition: [],
      routing: ['definition'],
      management: ['definition', 'routing'],
      simulation: ['definition', 'routing'],
      backtest: ['definition', 'routing', 'management/versions', 'simulation/explanation.dto'],
      rollouts: [
        'definition',
        'routing',
        'management/version-approvals',
        'management/locked-flow',
        'management/versions',
      ],
      rules: ['definition', 'routing', 'management/versions', 'backtest/backtest'],
      proposals: ['management/flows', 'management/locked-flow', 'management/version-approvals', 'management/versions'],
    }),
    // decisions import nothing; the store writes their effects, and all others change money through it
    ...subfolderImports('payments', {
      money: [],
      store: ['money'],
      methods: ['money'],
      customers: ['money', 'store', 'methods'],
      // calls of providers, and the worker's jobs
      work: ['money', 'store', 'methods', 'customers/erasure.queries'],
      notifications: ['money', 'store', 'methods', 'work'],
      api: ['money', 'store', 'methods', 'customers', 'work'],
      creation: ['money', 'store', 'methods', 'customers/customer.dto', 'work', 'api/payments.dto'],
      listing: ['money', 'store', 'customers', 'api'],
    }),
    ...subfolderImports('webhooks', {
      // SQL of events and their deliveries, which all features may include
      'fan-out': [],
      outbox: ['fan-out'],
      // types of events, for standing endpoints and `GET /events`
      'event-types': ['outbox'],
      // receivers: settings, secrets, rotation, tests, health, and how to send to one
      endpoint: ['fan-out', 'outbox', 'event-types'],
      engine: ['outbox', 'endpoint'],
      // results, lists and redelivery
      history: ['fan-out', 'outbox', 'endpoint'],
      // conformance runs sign like the engine, and also wrongly on purpose
      tools: ['outbox', 'endpoint'],
    }),
    ...subfolderImports('webhooks/endpoint', {
      auth: [],
      secrets: ['auth'],
      // answers of receivers: the recorder collects them in memory and writes them every few seconds
      health: [],
    }),
    ...subfolderImports('platform/http', {
      body: [],
      validation: ['body'],
      problems: ['validation'],
    }),
    {
      name: 'openapi-describes-the-platform',
      comment: 'features add their own descriptions; only the API document loads Swagger, the worker does not',
      severity: 'error',
      from: { path: '^src/openapi/' },
      to: { path: `^src/(${features}|cli)/` },
    },
    {
      name: 'worker-describes-nothing',
      severity: 'error',
      from: { path: '^src/bootstrap/worker\\.module\\.ts$' },
      to: { path: '^src/openapi/', reachable: true },
    },
    {
      name: 'no-folder-cycles',
      comment: 'imports between folders have no cycles',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src/' },
      to: { circular: true },
    },
    {
      name: 'routing-is-pure',
      comment: 'packages/routing imports only pure libraries, so it runs in Node and in a browser',
      severity: 'error',
      from: { path: '^packages/routing/src/' },
      to: { path: '.', pathNot: '^(packages/routing/src|node_modules/(currency-codes|decimal\\.js|lru-cache))/' },
    },
    ...folderOrder('packages/routing/src', {
      facts: [],
      statistics: [],
      definition: ['facts'],
      strategies: ['definition', 'facts', 'statistics'],
      decision: ['strategies', 'definition', 'facts'],
      simulation: ['decision', 'strategies', 'definition', 'facts', 'statistics'],
      backtest: ['simulation', 'decision', 'strategies', 'definition', 'facts', 'statistics'],
      rollouts: ['decision', 'statistics'],
      // sentences about definitions, for people
      words: ['definition', 'facts'],
    }),
    ...folderOrder('bench', {
      support: [],
      baselines: ['support'],
      processes: ['support'],
      harness: ['baselines', 'processes', 'support'],
      routing: ['support'],
      scenarios: ['baselines', 'processes', 'harness', 'routing', 'support'],
      chaos: ['support'],
      rehearsal: ['chaos', 'support'],
      upgrade: ['chaos', 'support'],
    }),
    ...folderOrder('test/support', {
      servers: [],
      app: ['servers'],
      providers: ['app', 'servers'],
      fuzz: ['app'],
      hostile: ['fuzz', 'servers'],
      browser: ['app', 'servers'],
      model: ['app', 'ledger', 'servers'],
      observability: ['app', 'providers', 'servers'],
      deploy: ['servers'],
      upgrade: ['servers'],
      insight: [],
      ledger: [],
      routing: [],
    }),
    {
      name: 'console-shares-rights',
      comment: 'the console takes only the table of rights from the service; all else comes from the API',
      severity: 'error',
      from: { path: '^console/src/' },
      to: { path: '^src/', pathNot: '^src/access/(roles|scopes)\\.ts$' },
    },
    ...folderOrder('console/src', { api: [], ui: ['api', 'shell'] }),
    {
      name: 'test-support-serves-the-bench',
      comment: 'the bench uses builders and servers of the tests, but not the reverse',
      severity: 'error',
      from: { path: '^test/support/' },
      to: { path: '^bench/' },
    },
    {
      name: 'src-knows-no-tests',
      severity: 'error',
      from: { path: '^(src|packages)/' },
      to: { path: '^(bench|test)/' },
    },
    {
      name: 'packages-know-no-service',
      comment: 'a package works outside of this repository',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^(src|console)/' },
    },
    {
      name: 'connectors-know-the-kit',
      comment: 'a connector imports the kit and its own SDK, as one outside of this repository does',
      severity: 'error',
      from: { path: '^packages/provider-((?!kit/)[^/]+)/' },
      to: {
        path: '^(packages|node_modules)/',
        pathNot:
          '^(packages/provider-(kit|$1)/|node_modules/(stripe|@adyen/api-library|@mollie/api-client|@paypal/paypal-server-sdk|decimal\\.js)/)',
      },
    },
    {
      name: 'worker-serves-no-requests',
      comment: 'the worker does not load the creation of payments, or code of flows that only requests use',
      severity: 'error',
      from: { path: '^src/bootstrap/worker\\.module\\.ts$' },
      to: {
        path: '^src/(payments/creation|flows/(management|simulation|backtest)|auth)/|^packages/routing/src/(simulation|backtest)/',
        reachable: true,
      },
    },
    {
      name: 'api-delivers-nothing',
      severity: 'error',
      from: { path: '^src/bootstrap/api\\.module\\.ts$' },
      to: { path: '^src/webhooks/engine/', reachable: true },
    },
    {
      name: 'no-dev-dependencies-in-src',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev'] },
    },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.spec\\.ts$' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
