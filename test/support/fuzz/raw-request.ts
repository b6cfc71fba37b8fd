import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface RawRequest {
  method: string;
  /** Path and query, sent unchanged. */
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer | undefined;
}

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export type Send = (request: RawRequest) => Promise<RawAnswer>;

const TIMEOUT_MS = 120_000;

/** Sends requests to `url` without a client library, which would correct their paths, headers and bodies. */
export function rawClient(url: string): { send: Send; close(): void } {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const send: Send = ({ method, path, headers = {}, body }) =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const call = request({ hostname, port, method, path, agent, headers: { ...length, ...headers } }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.once('error', reject);
        answer.once('end', () =>
          resolve({
            status: answer.statusCode!,
            headers: answer.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      });
      call.setTimeout(TIMEOUT_MS, () => call.destroy(new Error(`no answer to ${method} ${path} in ${TIMEOUT_MS} ms`)));
      call.once('error', reject);
      call.end(body);
    });
  return { send, close: () => agent.destroy() };
}
