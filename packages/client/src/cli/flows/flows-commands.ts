import { readFile, writeFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { serviceAddress, type ServiceOptions } from '../service-address.js';
import { answer, CommandError, EndWith, JSON_OPTION, type Terminal } from '../terminal.js';
import type { FlowFile } from './flow-file.js';
import type { FlowsApi } from './flows-api.js';
import type { TypedRollout } from './rollout-options.js';

const FAILED = 1;
const BAD_FILE = 2;
const CHANGES = 2;
const NEEDS_APPROVAL = 3;
const READING = 'flows:read shops:read';

interface FileOptions extends ServiceOptions {
  file: string;
}

interface ApplyCommandOptions extends FileOptions, TypedRollout {
  reason: string;
}

/** Flows as code. Other modules are loaded on demand: not all commands need YAML or the API. */
export function describeFlows(flows: Command, terminal: Terminal): Command {
  flows.description('flows as code: test files, compare one with a running service, apply it');
  addTest(flows, terminal);
  addExport(flows, terminal);
  addPlan(flows, terminal);
  addApply(flows, terminal);
  return flows;
}

function addTest(flows: Command, terminal: Terminal): void {
  flows
    .command('test')
    .description(
      'run the assertions and examples of files without a service; exit code 0: all hold, 1: one fails, 2: a bad file',
    )
    .argument('<files...>', 'YAML files with flows, shops, examples; read together')
    .option(...JSON_OPTION)
    .action(async (paths: string[], _: object, command: Command) => {
      const [{ testFiles }, { testLines }] = await Promise.all([import('./test.js'), import('./test-output.js')]);
      const read = await Promise.allSettled(paths.map(readFlowFile));
      const files = read.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      const broken = read.flatMap((each) => (each.status === 'rejected' ? [(each.reason as Error).message] : []));
      const { results, errors } = broken.length > 0 ? { results: [], errors: broken } : testFiles(files);
      answer(terminal, command, { results, errors }, testLines({ results, errors }));
      if (errors.length > 0) throw new EndWith(BAD_FILE);
      if (results.some(({ failure }) => failure !== undefined)) throw new EndWith(FAILED);
    });
}

function addExport(flows: Command, terminal: Terminal): void {
  withService(flows.command('export'))
    .description('write the active versions of all flows, or of the named ones, as a file')
    .argument('[names...]', 'flows to write; default: all')
    .option('-f, --file <path>', 'the file to write; default: the standard output')
    .action(async (names: string[], options: ServiceOptions & { file?: string }) => {
      const api = await connect(options, terminal, READING);
      const { exported } = await import('./export.js');
      const text = await exported(api, names);
      if (options.file === undefined) terminal.out(text);
      else await writeFile(options.file, text);
    });
}

function addPlan(flows: Command, terminal: Terminal): void {
  withFile(flows.command('plan'))
    .description('show what apply would change; exit code 0: nothing, 2: something, 1: an error')
    .action(async (options: FileOptions, command: Command) => {
      const file = await readFlowFile(options.file);
      const api = await connect(options, terminal, `${READING} flows:simulate`);
      const [{ planOf }, { planJson, planLines }] = await Promise.all([
        import('./plan.js'),
        import('./plan-output.js'),
      ]);
      const plan = await planOf(api, file);
      answer(terminal, command, planJson(plan), planLines(plan));
      if (plan.flows.some(({ violations }) => violations.length > 0)) throw new CommandError('assertions are violated');
      if (plan.flows.some(({ action }) => action !== 'unchanged')) throw new EndWith(CHANGES);
    });
}

function addApply(flows: Command, terminal: Terminal): void {
  withFile(flows.command('apply'))
    .description('draft and activate what plan shows; exit code 0: done, 3: a version needs an approval, 1: an error')
    .requiredOption('--reason <text>', 'why, for the versions and the audit log')
    .option(
      '--percent <number>',
      'begin a rollout to this percent of the payments, or set its percent; default: activate',
    )
    .addOption(new Option('--key <key>', 'what a rollout divides; default: payment').choices(['payment', 'customer']))
    .option('--when <json>', 'the condition of the payments that take part, as in a rule; default: all payments')
    .option('--max-drop-points <number>', 'abort when approvals drop by so many percent points; default: no guardrail')
    .option(
      '--min-payments <number>',
      'approved, declined and refused payments of each version before that; default: 100',
    )
    .option('--confidence <number>', 'the probability that a version as good as the active one stays; default: 0.95')
    .action(async (options: ApplyCommandOptions, command: Command) => {
      const { parseRollout } = await import('./rollout-options.js');
      const rollout = parseRollout(options);
      const file = await readFlowFile(options.file);
      const api = await connect(options, terminal);
      const [{ planOf }, { appliedLines, applyPlan }] = await Promise.all([import('./plan.js'), import('./apply.js')]);
      const plan = await planOf(api, file);
      const applied = await applyPlan(api, plan, { reason: options.reason, rollout });
      answer(terminal, command, { flows: applied }, appliedLines(applied));
      if (applied.some(({ result }) => result === 'needs_approval')) throw new EndWith(NEEDS_APPROVAL);
    });
}

const withFile = (command: Command): Command =>
  withService(command)
    .option('-f, --file <path>', 'the file with the flows', 'flows.yaml')
    .option(...JSON_OPTION);

/** Secrets should be set in the environment or `.env`: any user can see the arguments of a process. */
const withService = (command: Command): Command =>
  command
    .option('--url <url>', 'the service; also FLOWS_URL; default: the one on this machine')
    .option('--token <token>', 'an access token; also FLOWS_TOKEN')
    .option('--client-id <id>', 'a client that gets a token; also FLOWS_CLIENT_ID')
    .option('--client-secret <secret>', 'the secret of the client; also FLOWS_CLIENT_SECRET');

/** `scope`: the least that the command needs; absent: all scopes of the client. */
async function connect(options: ServiceOptions, terminal: Terminal, scope?: string): Promise<FlowsApi> {
  const address = serviceAddress(options, terminal.environment(), { prefix: 'FLOWS', purpose: 'may read flows' });
  const { FlowsApi: Api } = await import('./flows-api.js');
  return Api.connect(address, scope);
}

async function readFlowFile(path: string): Promise<FlowFile> {
  const { parseFlowFile } = await import('./flow-file.js');
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new CommandError(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  });
  return parseFlowFile(text, path);
}
