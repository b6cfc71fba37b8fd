import { type NodeRequest, rawBodyOf } from './raw-body.js';
import { ALREADY_REPORTED, createHandler, MAX_BODY_BYTES, type ReceiverOptions } from './receiver.js';

/** The method that responses of Express and Fastify share. */
interface StatusTarget {
  status(code: number): unknown;
}

/**
 * For a Nest controller on Express or Fastify, in an application that was created with `rawBody: true`:
 *
 *     private readonly receive = webhooks({ secrets, duplicates, handle: (event) => this.orders.apply(event) });
 *
 *     @Post('webhooks') @HttpCode(204)
 *     webhook(@Req() request: RawBodyRequest<Request>, @Res({ passthrough: true }) response: Response) {
 *       return this.receive(request, response);
 *     }
 *
 * Rejects with `WebhookVerificationError`, whose `statusCode` is Nest's answer, and with errors of `handle`.
 */
export function webhooks(options: ReceiverOptions): (request: NodeRequest, response?: StatusTarget) => Promise<void> {
  const handle = createHandler(options);
  const maxBytes = options.maxBodyBytes ?? MAX_BODY_BYTES;
  return async (request, response) => {
    const isNew = await handle(() => rawBodyOf(request, maxBytes), request.headers);
    if (!isNew) response?.status(ALREADY_REPORTED);
  };
}
