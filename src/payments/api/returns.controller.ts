import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../../access/access.js';
import { clientNetwork } from '../../platform/http/client-address.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { TakesAnyQuery } from '../../platform/http/query-guard.js';
import { textsOf } from '../../platform/http/query-texts.js';
import { ReturnThrottle } from '../../providers/notifications/notification-throttle.service.js';
import { NextActions } from './next-actions.service.js';

@ApiTags('providers')
@Controller('providers')
export class ReturnsController {
  constructor(
    private readonly actions: NextActions,
    private readonly throttle: ReturnThrottle,
  ) {}

  @Get(':provider/return/:reference')
  @Public()
  @TakesAnyQuery()
  @ApiOperation({
    summary: 'Receive a payer who returns from a redirect',
    description:
      "Only for payers' browsers. Hands the query parameters to the provider, and redirects the payer to the payment's " +
      '`return_url`, for any outcome: read the payment there.',
  })
  @ApiResponse({
    status: 303,
    description: "Redirect to the payment's `return_url`",
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
    const location = await this.actions.receiveReturn(provider, reference, textsOf(request.query));
    // the parameters are secret
    void reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    await reply.redirect(location, 303);
  }
}
