import createFetchClient, { type FetchOptions } from 'openapi-fetch';
import { errorOf } from './errors.js';
import { type AnyInit, withIdempotencyKey, withReadableHeaders } from './idempotency-key.js';
import { needsKey } from './repeatable.js';
import { type RetryOptions, type Send, withRetries } from './retries.js';
import type { paths } from './schema.js';
import { type Credentials, TokenSource } from './tokens.js';

type Method = 'get' | 'post' | 'patch' | 'delete';

interface Operation {
  responses: unknown;
}

/** The paths that support the method. */
export type PathOf<M extends Method> = {
  [Path in keyof paths]: paths[Path][M] extends Operation ? Path : never;
}[keyof paths];

type OperationOf<Path extends keyof paths, M extends Method> = Extract<paths[Path][M], Operation>;

/** `params` (path, query, header) and `body` of the operation, and options of `fetch` such as `signal`. */
export type Init<Path extends keyof paths, M extends Method> = FetchOptions<OperationOf<Path, M>>;

/** The body of the successful answer; `undefined` if it has none. */
export type Answer<Path extends keyof paths, M extends Method> = BodyOf<
  OkOf<OperationOf<Path, M> extends { responses: infer Responses } ? Responses : never>
>;

type OkOf<Responses> = Responses[keyof Responses & (200 | 201 | 202 | 204)];
type BodyOf<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : undefined;

type OptionalIfEmpty<T> = object extends T ? [init?: T] : [init: T];

interface Page {
  data: unknown[];
  pagination: { next_cursor: string | null; has_more: boolean };
}

/** The paths of paginated lists. */
export type ListPath = {
  [Path in PathOf<'get'>]: Answer<Path, 'get'> extends Page ? Path : never;
}[PathOf<'get'>];

export type Item<Path extends ListPath> = Extract<Answer<Path, 'get'>, Page>['data'][number];

/** Every method throws `ProblemError` if the API refuses the request, and `ConnectionError` without an answer. */
export interface PaymentOrchestratorClient {
  get<Path extends PathOf<'get'>>(
    path: Path,
    ...init: OptionalIfEmpty<Init<Path, 'get'>>
  ): Promise<Answer<Path, 'get'>>;
  /**
   * Adds an `Idempotency-Key` to a new payment, refund or payment method without one, so that retries create no second one. Throws `TypeError`
   * for a key that is empty or not a text, and for two different keys.
   */
  post<Path extends PathOf<'post'>>(
    path: Path,
    ...init: OptionalIfEmpty<Init<Path, 'post'>>
  ): Promise<Answer<Path, 'post'>>;
  patch<Path extends PathOf<'patch'>>(
    path: Path,
    ...init: OptionalIfEmpty<Init<Path, 'patch'>>
  ): Promise<Answer<Path, 'patch'>>;
  delete<Path extends PathOf<'delete'>>(
    path: Path,
    ...init: OptionalIfEmpty<Init<Path, 'delete'>>
  ): Promise<Answer<Path, 'delete'>>;
  /**
   * Every item of a list: `for await (const shop of client.list('/shops'))`. Pages are read when the loop needs them. A list of
   * events ends at the latest one; its `cursor` is where the next one begins.
   */
  list<Path extends ListPath>(path: Path, ...init: OptionalIfEmpty<Init<Path, 'get'>>): List<Item<Path>>;
}

export interface List<T> extends AsyncGenerator<T, void> {
  /**
   * `pagination.next_cursor` of the last page whose items were all taken: a list that begins there, for events with `after`,
   * loses none, and may repeat items of a page that was left. `undefined`: no such page yet; `null`: the list has ended.
   */
  readonly cursor: string | null | undefined;
}

export interface ClientOptions {
  /** The address of the service, such as `https://payments.example`. */
  baseUrl: string;
  credentials: Credentials;
  retries?: RetryOptions;
  /** Replaces the global `fetch`, for proxies and tests. */
  fetch?: (request: Request) => Promise<Response>;
}

export function createClient({
  baseUrl,
  credentials,
  retries,
  fetch = (request) => globalThis.fetch(request),
  ...unknown
}: ClientOptions): PaymentOrchestratorClient {
  // an unknown option, such as a header, would be ignored silently
  for (const name of Object.keys(unknown)) throw new TypeError(`createClient: does not take ${name}`);
  const base = baseUrl.replace(/\/+$/, '');
  const send = withRetries(fetch, retries);
  const authorizedSend = credentials === 'none' ? send : authorized(send, new TokenSource(credentials, base, send));
  const api = createFetchClient<paths>({ baseUrl: base, fetch: authorizedSend });
  const call = async (method: Method, path: string, init: AnyInit = {}): Promise<unknown> => {
    const given = needsKey(method, path) ? withIdempotencyKey(init) : init;
    // the types of the methods above have checked that the options fit the path
    const { data, error, response } = await api.request(method, path as never, withReadableHeaders(given) as never);
    if (!response.ok) throw errorOf(response, error);
    return data;
  };
  return {
    get: (path, ...[init]) => call('get', path, init) as never,
    post: (path, ...[init]) => call('post', path, init) as never,
    patch: (path, ...[init]) => call('patch', path, init) as never,
    delete: (path, ...[init]) => call('delete', path, init) as never,
    list: (path, ...[init]) =>
      listOf((page) => call('get', path, page) as Promise<Page>, path === '/events' ? 'after' : 'cursor', init),
  };
}

/** Adds the current token to each request; replaces a refused token once. */
function authorized(send: Send, tokens: TokenSource): Send {
  const sendWith = (token: string, request: Request): Promise<Response> => {
    const headers = new Headers(request.headers);
    headers.set('authorization', `Bearer ${token}`);
    return send(new Request(request, { headers }));
  };
  return async (request) => {
    const token = await tokens.get();
    const response = await sendWith(token, request.clone());
    if (response.status !== 401 || !tokens.forget(token)) return response;
    return sendWith(await tokens.get(), request);
  };
}

type ReadPage = (init: AnyInit) => Promise<Page>;

function listOf(read: ReadPage, cursorName: 'cursor' | 'after', init: AnyInit = {}): List<unknown> {
  let cursor = init.params?.query?.[cursorName] as List<unknown>['cursor'];
  const items = pages(read, cursorName, init, (next) => (cursor = next));
  return Object.defineProperty(items, 'cursor', { get: () => cursor }) as List<unknown>;
}

/** `onEnd`: called with the next cursor when all items of a page were taken. */
async function* pages(
  read: ReadPage,
  cursorName: 'cursor' | 'after',
  init: AnyInit,
  onEnd: (cursor: string | null) => void,
): AsyncGenerator<unknown, void> {
  let cursor: string | null | undefined;
  // an empty page can have a next page; events have a cursor even if there is no next page yet
  for (let hasMore = true; hasMore;) {
    // `last` is the start of a list of events; after the first page, the cursor replaces it
    const query = { ...init.params?.query, ...(cursor !== undefined && { [cursorName]: cursor, last: undefined }) };
    const { data, pagination } = await read({ ...init, params: { ...init.params, query } });
    yield* data;
    cursor = pagination.next_cursor;
    onEnd(cursor);
    hasMore = pagination.has_more && cursor !== null;
  }
}
