import { type NodeRequest, rawBodyOf } from './raw-body.js';
import { type Answer, createReceiver, MAX_BODY_BYTES, type ReceiverOptions } from './receiver.js';

/** The part of `http.ServerResponse` that is used. */
interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(body: string): unknown;
}

/**
 * A handler for Express 4 and 5, Connect and `node:http`: `app.post('/webhooks', webhooks({ … }))`. Mount it before
 * `express.json()`, which leaves no bytes to verify; it also works after `express.raw()`. Errors of `handle` are passed to
 * `next`; without `next` they are answered with 500.
 */
export function webhooks(
  options: ReceiverOptions,
): (request: NodeRequest, response: NodeResponse, next?: (error: unknown) => void) => void {
  const receive = createReceiver(options);
  const maxBytes = options.maxBodyBytes ?? MAX_BODY_BYTES;
  return (request, response, next) => {
    receive(() => rawBodyOf(request, maxBytes), request.headers).then(
      (answer) => send(response, answer),
      (error: unknown) => (next ? next(error) : send(response, { status: 500, headers: {}, body: '' })),
    );
  };
}

function send(response: NodeResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, headers);
  response.end(body);
}
