import { CommandError } from '../terminal.js';
import { accessToken, connectionReason, type ServiceAddress } from '../service-requests.js';
import type { Fields } from './named-definition.js';
import type { RolloutTerms } from './rollout-options.js';

/** A backtest of a long history takes this long at most. */
const TIMEOUT_MS = 300_000;
const PAGE = 100;

export interface ServedFlow extends Fields {
  id: number;
  name: string;
  version: number;
  rollout?: { id: number; version: number; percent: number } | null;
}

/** A rollout with the fields that decide whether it is the one that a command asks for. */
export interface ServedRollout extends RolloutTerms {
  id: number;
  version: number;
  percent: number;
  status: 'running' | 'promoted' | 'aborted';
  end_cause: string | null;
  ended_at: string | null;
}

export interface ServedVersion {
  version: number;
  status: 'draft' | 'candidate' | 'active' | 'retired';
  definition: Fields;
  needs_approval: boolean;
}

export interface Estimate {
  estimate: number;
  low: number;
  high: number;
}

/** The fields of a backtest that a plan shows. */
export interface Backtest {
  payments: number;
  truncated: boolean;
  first_created_at: string | null;
  changed: number;
  without_shop: number;
  shops: { shop_name: string; before: { payments: number }; after: { payments: number } }[];
  violations: { field: string; message: string }[];
  approval: { before: Estimate | null; after: Estimate | null; difference: Estimate | null; doubt: string | null };
  /** Payments that a rule declines. */
  declined: { before: number; after: number };
  costs?: { currency: string; payments: number; before: number; after: number; without_fees: number }[];
}

/** An unsuccessful answer of the API, in one line. `errors`: the invalid fields, by path. */
export class ApiRefusal extends CommandError {
  constructor(
    message: string,
    readonly code: string | undefined,
    readonly errors: { field: string; message: string }[],
  ) {
    super(message);
  }
}

/** The routes of flows that the commands call, with a token of the given client. */
export class FlowsApi {
  private constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  /** Gets a token with these scopes; without `scope` with all scopes of the client. Throws a `CommandError`. */
  static async connect(service: ServiceAddress, scope?: string): Promise<FlowsApi> {
    try {
      return new FlowsApi(service.url, await accessToken(service, scope, AbortSignal.timeout(TIMEOUT_MS)));
    } catch (error) {
      if (!(error instanceof CommandError)) throw unreachable(service.url, error);
      const needs = scope === undefined ? '' : `; the command needs the scopes ${scope}`;
      throw new CommandError(`${error.message}${needs}`, { cause: error });
    }
  }

  flows = (): Promise<ServedFlow[]> => this.all<ServedFlow>('/flows');

  /** The names of all shops, by id. */
  async shopNames(): Promise<Map<number, string>> {
    const shops = await this.all<{ id: number; name: string }>('/shops');
    return new Map(shops.map(({ id, name }) => [id, name]));
  }

  version = (flowId: number, version: number): Promise<ServedVersion> =>
    this.call('GET', `/flows/${flowId}/versions/${version}`);

  /** The newest versions: enough to find a draft, or the version of a commit that is reverted. */
  async versions(flowId: number): Promise<ServedVersion[]> {
    return (await this.page<ServedVersion>(`/flows/${flowId}/versions?limit=${PAGE}`)).data;
  }

  backtest = (flowId: number, definition: Fields, limit?: number): Promise<Backtest> =>
    this.call('POST', `/flows/${flowId}/backtest`, { definition, ...(limit !== undefined && { limit }) });

  create = (name: string, definition: Fields): Promise<ServedFlow> =>
    this.call('POST', '/flows', { name, ...definition });

  draft = (flowId: number, definition: Fields): Promise<ServedVersion> =>
    this.call('POST', `/flows/${flowId}/versions`, definition);

  activate = (flowId: number, version: number, body: Fields): Promise<ServedFlow> =>
    this.call('POST', `/flows/${flowId}/versions/${version}/activate`, body);

  /** The rollout that runs, or else the one that began last. */
  async newestRollout(flowId: number): Promise<ServedRollout | undefined> {
    return (await this.page<ServedRollout>(`/flows/${flowId}/rollouts?limit=1`)).data[0];
  }

  startRollout = (flowId: number, body: Fields): Promise<unknown> =>
    this.call('POST', `/flows/${flowId}/rollouts`, body);

  changeRollout = (flowId: number, rolloutId: number, body: Fields): Promise<unknown> =>
    this.call('PATCH', `/flows/${flowId}/rollouts/${rolloutId}`, body);

  private async all<T>(path: string): Promise<T[]> {
    const items: T[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query = new URLSearchParams({ limit: String(PAGE), ...(cursor !== '' && { cursor }) });
      const page: Page<T> = await this.page<T>(`${path}?${query.toString()}`);
      items.push(...page.data);
      cursor = page.pagination.next_cursor;
    }
    return items;
  }

  private page = <T>(path: string): Promise<Page<T>> => this.request('GET', path) as Promise<Page<T>>;

  private async call<T>(method: string, path: string, body?: Fields): Promise<T> {
    return ((await this.request(method, path, body)) as { data: T }).data;
  }

  private async request(method: string, path: string, body?: Fields): Promise<unknown> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: unknown) => {
      throw unreachable(this.url, error);
    });
    const text = await response.text();
    if (!response.ok) throw refusal(`${method} ${path.split('?')[0]}`, response.status, text);
    return JSON.parse(text);
  }
}

interface Page<T> {
  data: T[];
  pagination: { next_cursor: string | null };
}

const unreachable = (url: string, error: unknown): CommandError =>
  new CommandError(`${url} does not answer: ${connectionReason(error)}`, { cause: error });

interface ProblemBody {
  code?: string;
  title?: string;
  detail?: string;
  errors?: { field: string; message: string }[];
}

function refusal(call: string, status: number, text: string): ApiRefusal {
  const { code, title, detail, errors = [] } = problemIn(text);
  const fields = errors.map(({ field, message }) => `${field} ${message}`).join('; ');
  const reason = [detail ?? title, fields].filter((part) => part !== undefined && part !== '').join(': ');
  return new ApiRefusal(`${call} answered ${status} ${code ?? ''}: ${reason || text.slice(0, 200)}`, code, errors);
}

function problemIn(text: string): ProblemBody {
  try {
    return JSON.parse(text) as ProblemBody;
  } catch {
    // not JSON, for example a proxy's page
    return {};
  }
}
