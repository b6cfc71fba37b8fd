import { Agent, request } from 'undici';
import type { ClientCredentials } from '../../test/support/app/settings.js';
import { CLIENT } from '../support/product.js';

/** Longer than any time-out of the product: a call without an answer for this long counts as hanging. */
const HANG_MS = 30_000;
const SHOWN_BODY = 500;
const MAX_SHOWN = 30;

export interface Answer {
  /** `null`: no answer. */
  status: number | null;
  headers: Record<string, string | string[] | undefined>;
  /** The reason if there is no answer, such as `ECONNRESET`. */
  body: unknown;
}

/** One call as the merchant's client sees it. Times are ms since 1970. */
export interface AnswerRecord {
  /** The name of the call, such as `create`. */
  name: string;
  startedAt: number;
  answeredAt: number;
  /** `201`, `503 dependency_unavailable`, `ECONNRESET`. */
  answer: string;
}

interface CallOptions {
  json?: unknown;
  text?: string;
  headers?: Record<string, string>;
  expected?: readonly number[];
}

interface ClientOptions {
  credentials?: ClientCredentials;
  /** Called after every call. */
  onAnswer?: (record: AnswerRecord) => void;
  /** Logs in again when the API refuses its token, like a client whose token was signed with a withdrawn key. */
  renewsToken?: boolean;
}

/** The merchant's HTTP client. It counts all answers of the API. */
export class ApiClient {
  /** `create 201` → count. */
  readonly tally = new Map<string, number>();
  /** `503 dependency_unavailable` → count, for answers of 500 and more. */
  readonly serverErrors = new Map<string, number>();
  /** Answers that are wrong even during an outage, each with its request. */
  readonly unexpectedAnswers: string[] = [];
  unexpectedCount = 0;
  slowestMs = 0;
  /** Ms of answered calls that create payments. */
  readonly createMs: number[] = [];
  /** The credentials of its login. */
  credentials: ClientCredentials;
  token = '';
  /** Whether the harness knows a reason for an answer that would otherwise be unexpected. */
  excuses: (path: string, status: number) => boolean = () => false;
  private renewal: Promise<void> | undefined;
  private readonly agent = new Agent({ connections: 64, headersTimeout: HANG_MS, bodyTimeout: HANG_MS });

  constructor(
    readonly url: string,
    private readonly options: ClientOptions = {},
  ) {
    this.credentials = options.credentials ?? CLIENT;
  }

  /** Throws unless the API returns a token. */
  async login(): Promise<void> {
    const { id, secret } = this.credentials;
    const credentials = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
    const { status, body } = await this.send('login', 'POST', '/auth/token', { json: credentials });
    if (status !== 200) throw new Error(`POST /auth/token answers ${status}: ${JSON.stringify(body)}`);
    this.token = (body as { access_token: string }).access_token;
  }

  /** `expected`: statuses that are expected, in addition to 503. */
  async call(name: string, method: 'GET' | 'POST', path: string, options: CallOptions = {}): Promise<Answer> {
    if (!this.options.renewsToken) return this.send(name, method, path, options);
    const { token } = this;
    const answer = await this.send(name, method, path, { ...options, expected: [...(options.expected ?? []), 401] });
    if (answer.status !== 401) return answer;
    if (token === this.token) await this.renew();
    return this.send(name, method, path, options);
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }

  /**
   * If many calls are refused at the same time, only one logs in. After a failed login the repeated call tries again.
   */
  private renew(): Promise<void> {
    this.renewal ??= this.login()
      .catch(() => undefined)
      .finally(() => (this.renewal = undefined));
    return this.renewal;
  }

  private async send(name: string, method: 'GET' | 'POST', path: string, options: CallOptions): Promise<Answer> {
    const started = performance.now();
    const startedAt = Date.now();
    const answer = await this.request(method, path, options);
    const tookMs = performance.now() - started;
    this.slowestMs = Math.max(this.slowestMs, tookMs);
    if (answer.status === 201) this.createMs.push(tookMs);
    const hangs = answer.status === null && tookMs >= HANG_MS;
    const seen = hangs ? 'hang' : String(answer.status ?? answer.body);
    this.tally.set(`${name} ${seen}`, (this.tally.get(`${name} ${seen}`) ?? 0) + 1);
    const code = (answer.body as { code?: string } | undefined)?.code;
    const described = answer.status !== null && answer.status >= 400 ? `${seen} ${code ?? 'without a code'}` : seen;
    this.options.onAnswer?.({ name, startedAt, answeredAt: startedAt + tookMs, answer: described });
    if (hangs) this.reportUnexpected(`${name}: no answer to ${method} ${path} within ${HANG_MS} ms`);
    if (answer.status !== null && answer.status >= 500) this.countServerError(described);
    if (answer.status !== null && !this.excuses(path, answer.status)) {
      this.judge(`${name}: ${method} ${path}`, answer, options.expected ?? []);
    }
    return answer;
  }

  private async request(method: 'GET' | 'POST', path: string, options: CallOptions): Promise<Answer> {
    const text = options.text ?? (options.json === undefined ? undefined : JSON.stringify(options.json));
    try {
      const response = await request(this.url + path, {
        method,
        dispatcher: this.agent,
        headers: {
          ...(this.token !== '' && { authorization: `Bearer ${this.token}` }),
          ...(text !== undefined && { 'content-type': 'application/json' }),
          ...options.headers,
        },
        ...(text !== undefined && { body: text }),
      });
      return { status: response.statusCode, headers: response.headers, body: parsed(await response.body.text()) };
    } catch (error) {
      return { status: null, headers: {}, body: (error as NodeJS.ErrnoException).code ?? 'broken' };
    }
  }

  private judge(what: string, { status, headers, body }: Answer, expected: readonly number[]): void {
    const isExpected = (status! >= 200 && status! < 300) || expected.includes(status!);
    if (isExpected || (status === 503 && headers['retry-after'] !== undefined)) return;
    this.reportUnexpected(`${what} answers ${status} ${JSON.stringify(body)?.slice(0, SHOWN_BODY)}`);
  }

  private countServerError(error: string): void {
    this.serverErrors.set(error, (this.serverErrors.get(error) ?? 0) + 1);
  }

  private reportUnexpected(text: string): void {
    this.unexpectedCount += 1;
    if (this.unexpectedAnswers.length < MAX_SHOWN) this.unexpectedAnswers.push(`${new Date().toISOString()} ${text}`);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
