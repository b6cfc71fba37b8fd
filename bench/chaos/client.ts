import { Agent, request } from 'undici';
import { CLIENT } from '../support/product.js';

/** Longer than any of the product's own bounds: an answer that takes longer is taken for a hang. */
const HANG_MS = 30_000;
const SHOWN_BODY = 500;
const SHOWN_SURPRISES = 30;

export interface Answer {
  /** `null`: no answer. */
  status: number | null;
  headers: Record<string, string | string[] | undefined>;
  body: unknown;
}

/** The merchant's HTTP client, and a tally of everything that the API answered. */
export class ApiClient {
  /** `create 201` → how often. */
  readonly tally = new Map<string, number>();
  /** `503 dependency_unavailable` → how often: answers from 500 on. */
  readonly serverErrors = new Map<string, number>();
  /** Answers that an API in trouble may not give, with the request they came to. */
  readonly surprises: string[] = [];
  surpriseCount = 0;
  slowestMs = 0;
  /** Of answered calls that create payments, in ms. */
  readonly createMs: number[] = [];
  private token = '';
  private readonly agent = new Agent({ connections: 64, headersTimeout: HANG_MS, bodyTimeout: HANG_MS });

  constructor(private readonly url: string) {}

  async login(): Promise<void> {
    const credentials = { grant_type: 'client_credentials', client_id: CLIENT.id, client_secret: CLIENT.secret };
    const { status, body } = await this.call('login', 'POST', '/auth/token', { json: credentials });
    if (status !== 200) throw new Error(`POST /auth/token answers ${status}: ${JSON.stringify(body)}`);
    this.token = (body as { access_token: string }).access_token;
  }

  /** `expected`: statuses besides 503 that are no surprise. */
  async call(
    name: string,
    method: 'GET' | 'POST',
    path: string,
    options: { json?: unknown; text?: string; headers?: Record<string, string>; expected?: readonly number[] } = {},
  ): Promise<Answer> {
    const started = performance.now();
    const text = options.text ?? (options.json === undefined ? undefined : JSON.stringify(options.json));
    let answer: Answer;
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
      const received = await response.body.text();
      answer = { status: response.statusCode, headers: response.headers, body: parsed(received) };
    } catch (error) {
      const tooLong = performance.now() - started >= HANG_MS;
      answer = { status: null, headers: {}, body: undefined };
      this.count(`${name} ${tooLong ? 'hang' : ((error as NodeJS.ErrnoException).code ?? 'broken')}`);
      if (tooLong) this.surprise(`${name}: no answer to ${method} ${path} within ${HANG_MS} ms`);
    }
    this.slowestMs = Math.max(this.slowestMs, performance.now() - started);
    if (answer.status === 201) this.createMs.push(performance.now() - started);
    if (answer.status !== null) this.judge(name, `${method} ${path}`, answer, options.expected ?? []);
    return answer;
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private judge(name: string, what: string, { status, headers, body }: Answer, expected: readonly number[]): void {
    this.count(`${name} ${status}`);
    if (status! >= 500) {
      const error = `${status} ${(body as { code?: string } | undefined)?.code ?? 'without a code'}`;
      this.serverErrors.set(error, (this.serverErrors.get(error) ?? 0) + 1);
    }
    const isFine = (status! >= 200 && status! < 300) || expected.includes(status!);
    if (isFine || (status === 503 && headers['retry-after'] !== undefined)) return;
    this.surprise(`${name}: ${what} answers ${status} ${JSON.stringify(body)?.slice(0, SHOWN_BODY)}`);
  }

  private count(what: string): void {
    this.tally.set(what, (this.tally.get(what) ?? 0) + 1);
  }

  private surprise(text: string): void {
    this.surpriseCount += 1;
    if (this.surprises.length < SHOWN_SURPRISES) this.surprises.push(`${new Date().toISOString()} ${text}`);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
