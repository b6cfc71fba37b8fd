// Generates clients of docs/openapi.json with the generators of other languages, compiles them, and runs each against the
// service: `npm run check:clients`, after a build. It needs Java 17, Maven, Go and Python 3, and takes some minutes. Names
// select clients: `npm run check:clients -- go python`. The options are those of docs/integrate/api-clients.md.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const GENERATOR = '7.16.0';
const PYTHON_CLIENT = '0.29.1';
const MAX_START_MS = 120_000;

const root = fileURLToPath(new URL('..', import.meta.url));
const document = join(root, 'docs/openapi.json');
const programs = join(root, 'scripts/generated-clients');
const folder = await mkdtemp(join(tmpdir(), 'generated-clients-'));
await chmod(folder, 0o755); // the embedded PostgreSQL of root runs as another account
const client = { CLIENT_ID: 'generated', CLIENT_SECRET: 'secret-of-the-generated-clients' };
/** The environment of the programs; `startService` adds the address of the service. */
const environment = { ...process.env, ...client };

async function run(program, args, cwd = folder) {
  const options = { cwd, env: environment, maxBuffer: 64 * 1024 * 1024 };
  await promisify(execFile)(program, args, options).catch(({ message, stdout = '', stderr = '' }) => {
    throw new Error(`${message.split('\n')[0]}\n${stdout.slice(-4_000)}\n${stderr.slice(-4_000)}`);
  });
}

const maven = (args, cwd) => run('mvn', ['-q', '-B', ...args], cwd);

async function generate(name, ...options) {
  const output = join(folder, name);
  const jar = join(folder, `openapi-generator-cli-${GENERATOR}.jar`);
  await run('java', ['-jar', jar, 'generate', '-i', document, '-o', output, ...options]);
  return output;
}

const properties = (values) => [
  '--additional-properties',
  Object.entries(values)
    .map((pair) => pair.join('='))
    .join(),
];

async function java(library, program) {
  const output = await generate(
    library,
    '-g',
    'java',
    '--library',
    library,
    ...properties({ containerDefaultToNull: true, enumUnknownDefaultCase: true }),
  );
  await cp(join(programs, `${program}.java`), join(output, 'src/main/java', `${program}.java`));
  await maven(['compile', 'dependency:build-classpath', '-Dmdep.outputFile=classpath.txt'], output);
  const classpath = await readFile(join(output, 'classpath.txt'), 'utf8');
  await run('java', ['-cp', ['target/classes', classpath.trim()].join(delimiter), program], output);
}

async function go() {
  const options = {
    enumClassPrefix: true,
    disallowAdditionalPropertiesIfNotPresent: false,
  };
  const names = ['--git-host', 'example.com', '--git-user-id', 'acme', '--git-repo-id', 'payments'];
  const output = await generate('go', '-g', 'go', ...properties(options), ...names);
  await rm(join(output, 'test'), { recursive: true, force: true });
  await mkdir(join(output, 'use'));
  await cp(join(programs, 'use.go'), join(output, 'use/main.go'));
  await run('go', ['mod', 'tidy'], output);
  await run('go', ['vet', '.'], output);
  await run('go', ['run', './use'], output);
}

async function typescript() {
  const output = await generate(
    'typescript',
    '-g',
    'typescript-fetch',
    ...properties({ modelPropertyNaming: 'original' }),
  );
  await cp(join(programs, 'use-fetch.mjs'), join(output, 'use.mjs'));
  const compilerOptions = {
    ...{ strict: true, outDir: 'out', target: 'es2022', lib: ['es2022', 'dom'], types: [] },
    ...{ module: 'nodenext', moduleResolution: 'nodenext' },
  };
  await writeFile(join(output, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }));
  await run('node', [join(root, 'node_modules/typescript-native/bin/tsc'), '-p', '.'], output);
  await run('node', ['use.mjs'], output);
}

/** Creates a virtual environment with packages from PyPI. */
async function pythonWith(name, ...packages) {
  await run('python3', ['-m', 'venv', name]);
  const bin = join(folder, name, 'bin');
  await run(join(bin, 'pip'), ['install', '--quiet', '--disable-pip-version-check', ...packages]);
  return bin;
}

async function python() {
  const output = await generate(
    'python',
    '-g',
    'python',
    ...properties({ disallowAdditionalPropertiesIfNotPresent: false }),
  );
  const bin = await pythonWith('venv-python', output);
  await run(join(bin, 'python'), [join(programs, 'openapi_generator.py')]);
}

async function openapiPythonClient() {
  const bin = await pythonWith('venv-attrs', `openapi-python-client==${PYTHON_CLIENT}`);
  const output = join(folder, 'attrs');
  environment.PATH = [bin, process.env.PATH].join(delimiter); // it formats with the ruff in the same folder
  const options = ['--path', document, '--output-path', output, '--fail-on-warning'];
  await run(join(bin, 'openapi-python-client'), ['generate', ...options]);
  environment.PATH = process.env.PATH;
  await run(join(bin, 'pip'), ['install', '--quiet', '--disable-pip-version-check', output]);
  await run(join(bin, 'python'), [join(programs, 'openapi_python_client.py')]);
}

const CLIENTS = {
  typescript,
  python,
  'openapi-python-client': openapiPythonClient,
  go,
  native: () => java('native', 'UseNative'),
  restclient: () => java('restclient', 'UseRestclient'),
};

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function startService() {
  const [PORT, WORKER_PORT] = [String(await freePort()), String(await freePort())];
  environment.BASE = `http://127.0.0.1:${PORT}`;
  const settings = {
    ...{ PORT, WORKER_PORT, DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn' },
    ...{ BOOTSTRAP_CLIENT_ID: client.CLIENT_ID, BOOTSTRAP_CLIENT_SECRET: client.CLIENT_SECRET },
  };
  const env = { ...process.env, DATABASE_URL: '', REDIS_URL: '', ...settings };
  const options = { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] };
  const service = spawn(process.execPath, [join(root, 'dist/main-all.js')], options);
  for (const end = Date.now() + MAX_START_MS; Date.now() < end && service.exitCode === null; await setTimeout(200)) {
    if (
      await globalThis.fetch(`${environment.BASE}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return service;
  }
  service.kill();
  throw new Error('the service did not start: npm run build');
}

const names = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(CLIENTS, name));
if (unknown.length > 0)
  throw new Error(`unknown client ${unknown.join(', ')}: available are ${Object.keys(CLIENTS).join(', ')}`);
const artifact = `-Dartifact=org.openapitools:openapi-generator-cli:${GENERATOR}`;
await maven(['dependency:copy', artifact, `-DoutputDirectory=${folder}`], folder);
const service = await startService();
try {
  for (const name of names.length > 0 ? names : Object.keys(CLIENTS)) {
    const begun = Date.now();
    const failure = await CLIENTS[name]().then(
      () => undefined,
      (error) => error,
    );
    console.log(`${failure ? '✘' : '✔'} ${name}, ${Math.round((Date.now() - begun) / 1000)} s`);
    if (failure) console.error(failure.message);
    if (failure) process.exitCode = 1;
  }
} finally {
  service.kill();
  await once(service, 'close');
  if (process.env.KEEP === undefined) await rm(folder, { recursive: true, force: true });
  else console.log(folder);
}
