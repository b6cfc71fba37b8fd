import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../../access/access.js';
import { clientNetwork } from '../../platform/http/client-address.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { PayerReturns } from './payer-returns.service.js';
import { ReturnThrottle } from './return-throttle.service.js';

@ApiTags('providers')
@Controller('providers')
export class ReturnsController {
  constructor(
    private readonly returns: PayerReturns,
    private readonly throttle: ReturnThrottle,
  ) {}

  @Get(':provider/return/:reference')
  @Public()
  @ApiOperation({
    summary: 'Where a payer comes back to from a redirect of a provider that has to be told of it',
    description:
      "For payers' browsers alone. Hands what the provider put into the query over to it, and sends the payer on to the " +
      "payment's `return_url`, whatever came of it: ask for the payment there.",
  })
  @ApiResponse({
    status: 303,
    description: "On to the payment's `return_url`",
    headers: { location: { required: true, schema: { type: 'string', format: 'uri' } } },
  })
  @ApiProblems('payment_not_found', 'too_many_requests')
  async receive(
    @Param('provider') provider: string,
    @Param('reference') reference: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.throttle.take(clientNetwork(request));
    const location = await this.returns.receive(provider, reference, textsOf(request.query));
    // what the payer brought is for nobody else's eyes
    void reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    await reply.redirect(location, 303);
  }
}

/** Names that come more than once are left out. */
const textsOf = (query: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query as Record<string, unknown>).filter((entry): entry is [string, string] => {
      return typeof entry[1] === 'string';
    }),
  );
