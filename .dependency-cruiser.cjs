/** The rules of the house (docs/internals/architecture.md): who may import whom. */
const features = 'access|audit|auth|console|events|insights|shops|flows|providers|payments|webhooks';

/**
 * The order of the folders of a part that is not the product: which other folders each may import. A folder includes its
 * own subfolders.
 */
const folderOrder = (part, folders) =>
  Object.entries(folders).map(([folder, allowed]) => ({
    name: `${part}/${folder}-imports`,
    comment: `${part}/${folder} may import ${allowed.length ? allowed.join(', ') : 'no other folder'} of ${part}`,
    severity: 'error',
    from: { path: `^${part}/${folder}/` },
    to: { path: `^${part}/[^/]+/`, pathNot: `^${part}/(${[folder, ...allowed].join('|')})/` },
  }));

/** A feature may import `allowed` features besides itself. */
const featureImports = (feature, allowed) => ({
  name: `${feature}-imports`,
  comment: `${feature} may import ${allowed.length ? allowed.join(', ') : 'no other feature'}`,
  severity: 'error',
  from: { path: `^src/${feature}/` },
  to: { path: `^src/(${features})/`, pathNot: `^src/(${[feature, ...allowed].join('|')})/` },
});

/**
 * The rooms of a folder: which other rooms each may enter. `'delivery/webhook-sender'` names the one file that may be
 * entered. What lies beside the rooms (modules, controllers that join several) may enter all of them.
 */
const roomImports = (folder, rooms) =>
  Object.entries(rooms).map(([room, allowed]) => ({
    name: `${folder}/${room}-imports`,
    comment: `${folder}/${room} may enter ${allowed.length ? allowed.join(', ') : 'no other room'}`,
    severity: 'error',
    from: { path: `^src/${folder}/${room}/` },
    to: {
      path: `^src/${folder}/(${Object.keys(rooms).join('|')})/`,
      pathNot: `^src/${folder}/(${[room, ...allowed].map((name) => (name.includes('/') ? `${name}\\.` : `${name}/`)).join('|')})`,
    },
  }));

/** The files of a feature's rooms that other features may import, besides its modules. */
const roomPorts = (feature, ports) => ({
  name: `${feature}-ports`,
  comment: `the rooms of ${feature} are entered from outside by named ports alone`,
  severity: 'error',
  from: { path: `^src/(${features})/`, pathNot: `^src/${feature}/` },
  to: { path: `^src/${feature}/[^/]+/`, pathNot: `^src/${feature}/(${ports.join('|') || '-'})\\.ts$` },
});

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'shared-is-pure',
      comment: 'shared imports nothing of ours, no Nest and no I/O',
      severity: 'error',
      from: { path: '^src/shared/' },
      to: { path: '^src/(?!shared/)|^node_modules/(@nestjs|typeorm|pg|undici|bullmq|ioredis)/' },
    },
    {
      name: 'platform-knows-no-business',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: `^src/(${features}|cli|openapi)/` },
    },
    featureImports('access', []),
    featureImports('audit', ['access']),
    featureImports('auth', ['access', 'audit']),
    featureImports('console', ['access', 'auth']),
    featureImports('shops', ['access', 'audit', 'providers']),
    featureImports('providers', ['access']),
    featureImports('flows', ['access', 'audit', 'shops']),
    featureImports('webhooks', ['access', 'audit', 'shops']),
    featureImports('payments', ['access', 'audit', 'flows', 'providers', 'shops', 'webhooks']),
    featureImports('events', ['access', 'payments']),
    featureImports('insights', ['access']),
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
    // what payments decide by, record and answer with
    roomPorts('flows', ['definition/definition', 'routing/routing.service', 'routing/decision-trace']),
    // nobody enters: what others learn of a payment comes with its webhook
    roomPorts('payments', []),
    roomPorts('webhooks', [
      // what a payment writes with its change
      'outbox/(endpoint-policy\\.service|is-webhook-endpoint|lane-notifier|lanes\\.service|outbox-sql)',
      'outbox/(shop-counters\\.service|stored-bodies\\.service|webhook-body)',
      // what an erasure blanks
      'deliveries/delivery-erasure\\.service',
    ]),
    // what a flow is, how it decides, and who asks: of these a backtest asks most
    ...roomImports('flows', {
      definition: [],
      routing: ['definition'],
      management: ['definition', 'routing'],
      simulation: ['definition', 'routing'],
      backtest: ['definition', 'routing', 'management/versions', 'simulation/explanation'],
    }),
    // the ledger knows nobody; all others write through it
    ...roomImports('payments', {
      ledger: [],
      idempotency: [],
      operations: ['ledger'],
      refunds: ['ledger', 'idempotency', 'operations'],
      authorization: ['ledger', 'idempotency', 'operations'],
      creation: ['ledger', 'idempotency', 'operations', 'authorization'],
      notifications: ['ledger', 'operations'],
      expiry: ['ledger'],
      erasure: ['ledger', 'idempotency'],
      'shop-reports': [],
      reconciliation: ['ledger'],
    }),
    // a test of a receiver sends as the dispatcher does
    ...roomImports('webhooks', {
      outbox: [],
      // how endpoints answered: written by the recorder, in memory and every few seconds
      endpoints: ['outbox'],
      delivery: [
        'outbox',
        'endpoints/endpoint-outcomes',
        'endpoints/endpoint-events.queries',
        'endpoints/endpoint-log',
      ],
      // deliveries by the ids that receivers know, and by time
      lookup: [],
      deliveries: ['outbox', 'lookup', 'delivery/webhook-sender', 'delivery/signature'],
      // signs as the dispatcher does, on purpose also wrongly
      conformance: ['outbox', 'delivery/webhook-sender', 'delivery/signature', 'deliveries/sample-payload'],
    }),
    ...roomImports('platform/http', {
      body: [],
      validation: ['body'],
      problems: ['validation'],
    }),
    {
      name: 'openapi-describes-the-platform',
      comment: 'features say what they add; only documents load Swagger, a worker has none',
      severity: 'error',
      from: { path: '^src/openapi/' },
      to: { path: `^src/(${features}|cli)/` },
    },
    {
      name: 'worker-describes-nothing',
      severity: 'error',
      from: { path: '^src/worker\\.module\\.ts$' },
      to: { path: '^src/openapi/', reachable: true },
    },
    {
      name: 'no-folder-cycles',
      comment: 'folders have an order, too',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src/' },
      to: { circular: true },
    },
    ...folderOrder('bench', {
      support: [],
      baselines: ['support'],
      processes: ['support'],
      harness: ['baselines', 'processes', 'support'],
      scenarios: ['baselines', 'processes', 'harness', 'support'],
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
    ...folderOrder('console/src', { api: [], ui: ['api', 'shell'] }),
    {
      name: 'test-support-serves-the-bench',
      comment: 'the bench uses builders and servers of the tests; they know nothing of the bench',
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
      name: 'worker-serves-no-requests',
      comment: 'the worker loads neither creation nor what only requests ask of flows',
      severity: 'error',
      from: { path: '^src/worker\\.module\\.ts$' },
      to: { path: '^src/(payments/creation|flows/(management|simulation|backtest)|auth)/', reachable: true },
    },
    {
      name: 'api-delivers-nothing',
      comment: 'the API loads nothing of the delivery except the sender, with which a test of a receiver sends',
      severity: 'error',
      from: { path: '^src/api\\.module\\.ts$' },
      to: {
        path: '^src/webhooks/delivery/',
        pathNot: '/(webhook-sender|signature)\\.ts$',
        reachable: true,
      },
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
