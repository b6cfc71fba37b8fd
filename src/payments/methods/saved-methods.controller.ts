import { Body, Controller, Delete, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentPrincipal, type Principal, RequireScopes } from '../../access/access.js';
import { TakesReadSlot } from '../../access/read-slots.js';
import { CurrentAuditContext, type AuditContext } from '../../audit/audit-context.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { ApiSuccess, ApiSuccessPage } from '../../openapi/api-success.js';
import { IDEMPOTENT_REPLAYED, IdempotencyKey, TakesIdempotencyKey } from '../../platform/http/idempotency-key.js';
import { success, type Success, successPage, type SuccessPage } from '../../platform/http/routes.js';
import { IdParam } from '../../platform/http/validation/id-param.js';
import { PageQueryDto } from '../../platform/http/validation/page-query.dto.js';
import { SavedMethodDto, SaveMethodDto } from './saved-methods.dto.js';
import { SavedMethods } from './saved-methods.service.js';

const SAVED = {
  card: {
    summary: 'A card in one account',
    value: {
      type: 'card',
      options: [{ provider: 'sandbox', token: 'tok_success' }],
      card: { scheme: 'visa', last4: '1111' },
    },
  },
};

@ApiTags('customers')
@Controller('customers/:id/payment-methods')
export class SavedMethodsController {
  constructor(private readonly methods: SavedMethods) {}

  @Post()
  @RequireScopes('payments:write')
  @ApiOperation({
    summary: 'Save a payment method of a customer',
    description:
      'Stores the tokens encrypted and never returns them. A payment names it by `payment_method_id`. With an ' +
      '`Idempotency-Key`, a repeat gets the same payment method. Tokens that the customer has saved in one get that one, ' +
      'with `Idempotent-Replayed`.',
  })
  @TakesIdempotencyKey()
  @ApiBody({ type: SaveMethodDto, examples: SAVED })
  @ApiSuccess(SavedMethodDto, { status: 201, headers: IDEMPOTENT_REPLAYED })
  @ApiProblems(
    'customer_not_found',
    'customer_erased',
    'payment_method_limit_reached',
    'validation_failed',
    'idempotency_key_reused',
  )
  async save(
    @CurrentPrincipal() { merchantId, clientId }: Principal,
    @IdParam('id') customerId: number,
    @Body() request: SaveMethodDto,
    @CurrentAuditContext() context: AuditContext,
    @Res({ passthrough: true }) reply: FastifyReply,
    @IdempotencyKey() key?: string,
  ): Promise<Success<SavedMethodDto>> {
    const { method, replayed } = await this.methods.save({ merchantId, customerId }, request, context, {
      clientId,
      key,
    });
    if (replayed) void reply.header('Idempotent-Replayed', 'true');
    return success(SavedMethodDto.from(method));
  }

  @Get()
  @TakesReadSlot()
  @RequireScopes('payments:read')
  @ApiOperation({
    summary: 'List saved payment methods of a customer, newest first',
    description: 'Each with its entries by provider and account, without their tokens.',
  })
  @ApiSuccessPage(SavedMethodDto)
  @ApiProblems('customer_not_found')
  async list(
    @CurrentPrincipal() { merchantId }: Principal,
    @IdParam('id') customerId: number,
    @Query() query: PageQueryDto,
  ): Promise<SuccessPage<SavedMethodDto>> {
    const page = await this.methods.list(merchantId, customerId, PageQueryDto.toPageRequest(query));
    return successPage(page, (row) => SavedMethodDto.from(row));
  }

  @Get(':methodId')
  @RequireScopes('payments:read')
  @ApiOperation({
    summary: 'Read a saved payment method',
    description: 'With its entries by provider and account.',
  })
  @ApiSuccess(SavedMethodDto)
  @ApiProblems('payment_method_not_found')
  async find(
    @CurrentPrincipal() { merchantId }: Principal,
    @IdParam('id') customerId: number,
    @IdParam('methodId') methodId: number,
  ): Promise<Success<SavedMethodDto>> {
    return success(SavedMethodDto.from(await this.methods.find(merchantId, customerId, methodId)));
  }

  @Delete(':methodId')
  @HttpCode(204)
  @RequireScopes('payments:write')
  @ApiOperation({
    summary: 'Remove a saved payment method',
    description:
      'It cannot be used from now on. The worker detaches its tokens at the providers that allow it, and tries again for ' +
      'three days if one gives no answer. Payments that were made with it stay.',
  })
  @ApiNoContentResponse({ description: 'Removed' })
  @ApiProblems('payment_method_not_found')
  async remove(
    @CurrentPrincipal() { merchantId }: Principal,
    @IdParam('id') customerId: number,
    @IdParam('methodId') methodId: number,
    @CurrentAuditContext() context: AuditContext,
  ): Promise<void> {
    await this.methods.remove(merchantId, customerId, methodId, context);
  }
}
