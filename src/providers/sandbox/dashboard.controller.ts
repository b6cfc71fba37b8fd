import type { ChangeTarget } from '@payment-orchestrator/provider-sandbox';
import { applyDecorators, Body, Controller, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal, RequireScopes } from '../../access/access.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { ApiSuccess } from '../../openapi/api-success.js';
import { IdempotencyKey, TakesIdempotencyKey } from '../../platform/http/idempotency-key.js';
import { success, type Success } from '../../platform/http/routes.js';
import { SandboxTransactionDto } from './sandbox.dto.js';
import {
  ChangeSandboxDisputeDto,
  CreateSandboxCaptureDto,
  CreateSandboxDisputeDto,
  CreateSandboxRefundDto,
  SandboxDisputeDto,
} from './dashboard.dto.js';
import { SandboxDashboard } from './sandbox-dashboard.js';

const REPORTED = 'The ledger of the sandbox changes, and the sandbox notifies this service, as another company would.';

/** A change of one transaction by a person at the dashboard. */
const TransactionChange = (): MethodDecorator =>
  applyDecorators(
    RequireScopes('payments:write'),
    ApiParam({
      name: 'transactionId',
      schema: { type: 'string', example: 'sbx_0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11' },
      description: 'The `provider_transaction_id` of a payment.',
    }),
    TakesIdempotencyKey('Up to 255 characters. A repeat changes nothing more, and gets the present state.'),
    ApiProblems('transaction_not_found', 'provider_unconfirmed', 'validation_failed', 'idempotency_key_reused'),
  );

const SandboxDisputeId = (): MethodDecorator =>
  ApiParam({
    name: 'sandboxDisputeId',
    schema: { type: 'string', example: 'sbd_dashboard_0c8c1d1e-6f0a-4a52-9a4e-0d9a4f1f7d11' },
    description: 'The `provider_dispute_id` of a dispute.',
  });

/**
 * The dashboard of the sandbox: changes that people make at the provider, and of which this service is only notified.
 * They need a shop with a `notification_secret`.
 */
@ApiTags('sandbox')
@Controller('providers/sandbox')
export class SandboxDashboardController {
  constructor(private readonly dashboard: SandboxDashboard) {}

  @Post('transactions/:transactionId/captures')
  @HttpCode(200)
  @TransactionChange()
  @ApiOperation({
    summary: "Capture at the sandbox's dashboard",
    description: `${REPORTED} Of an authorised transaction, once, in whole or in part.`,
  })
  @ApiSuccess(SandboxTransactionDto)
  async capture(
    @CurrentPrincipal() principal: Principal,
    @Param('transactionId') transactionId: string,
    @Body() { amount }: CreateSandboxCaptureDto,
    @IdempotencyKey() key?: string,
  ): Promise<Success<SandboxTransactionDto>> {
    const target = targetOf(principal, transactionId, key);
    return success(
      SandboxTransactionDto.from(await this.dashboard.of(({ changes }) => changes.capture(target, amount))),
    );
  }

  @Post('transactions/:transactionId/voids')
  @HttpCode(200)
  @TransactionChange()
  @ApiOperation({
    summary: "Void at the sandbox's dashboard",
    description: `${REPORTED} Of an open or authorised transaction. A voided one is returned unchanged.`,
  })
  @ApiSuccess(SandboxTransactionDto)
  async void(
    @CurrentPrincipal() principal: Principal,
    @Param('transactionId') transactionId: string,
    @IdempotencyKey() key?: string,
  ): Promise<Success<SandboxTransactionDto>> {
    const target = targetOf(principal, transactionId, key);
    return success(SandboxTransactionDto.from(await this.dashboard.of(({ changes }) => changes.void(target))));
  }

  @Post('transactions/:transactionId/refunds')
  @HttpCode(200)
  @TransactionChange()
  @ApiOperation({
    summary: "Refund at the sandbox's dashboard, in whole or in part",
    description: `${REPORTED} The payment gets a refund with the origin \`provider\`. Without an \`Idempotency-Key\`, a repeat refunds again.`,
  })
  @ApiSuccess(SandboxTransactionDto)
  async refund(
    @CurrentPrincipal() principal: Principal,
    @Param('transactionId') transactionId: string,
    @Body() { amount }: CreateSandboxRefundDto,
    @IdempotencyKey() key?: string,
  ): Promise<Success<SandboxTransactionDto>> {
    const target = targetOf(principal, transactionId, key);
    return success(
      SandboxTransactionDto.from(await this.dashboard.of(({ changes }) => changes.refund(target, amount))),
    );
  }

  @Post('transactions/:transactionId/disputes')
  @TransactionChange()
  @ApiOperation({
    summary: 'Open a dispute at the sandbox, as the payer would',
    description: `${REPORTED} Of a captured transaction. Disputes that are not won add up to at most the captured amount.`,
  })
  @ApiSuccess(SandboxDisputeDto, { status: 201 })
  async dispute(
    @CurrentPrincipal() principal: Principal,
    @Param('transactionId') transactionId: string,
    @Body() dispute: CreateSandboxDisputeDto,
    @IdempotencyKey() key?: string,
  ): Promise<Success<SandboxDisputeDto>> {
    const target = targetOf(principal, transactionId, key);
    const opened = await this.dashboard.of(({ disputes }) =>
      disputes.open(target, CreateSandboxDisputeDto.toDispute(dispute)),
    );
    return success(SandboxDisputeDto.from(opened));
  }

  @Get('disputes/:sandboxDisputeId')
  @RequireScopes('payments:read')
  @SandboxDisputeId()
  @ApiOperation({
    summary: 'Get a dispute as the sandbox has it',
    description: 'It may be ahead of `GET /disputes/{id}`, which has what notifications have reported.',
  })
  @ApiSuccess(SandboxDisputeDto)
  @ApiProblems('dispute_not_found')
  async getDispute(
    @CurrentPrincipal() { merchantId }: Principal,
    @Param('sandboxDisputeId') id: string,
  ): Promise<Success<SandboxDisputeDto>> {
    return success(SandboxDisputeDto.from(await this.dashboard.of(({ disputes }) => disputes.get(merchantId, id))));
  }

  @Patch('disputes/:sandboxDisputeId')
  @RequireScopes('payments:write')
  @SandboxDisputeId()
  @ApiOperation({
    summary: 'Change a dispute at the sandbox',
    description:
      `${REPORTED} \`under_review\`: evidence was submitted. \`won\`, \`lost\` and \`accepted\` close it. A later \`kind\` opens it ` +
      'again: an inquiry becomes a chargeback, a chargeback a pre-arbitration. A repeat changes nothing.',
  })
  @ApiSuccess(SandboxDisputeDto)
  @ApiProblems('dispute_not_found', 'provider_unconfirmed', 'validation_failed')
  async changeDispute(
    @CurrentPrincipal() { merchantId }: Principal,
    @Param('sandboxDisputeId') id: string,
    @Body() change: ChangeSandboxDisputeDto,
  ): Promise<Success<SandboxDisputeDto>> {
    const changed = await this.dashboard.of(({ disputes }) =>
      disputes.change(merchantId, id, ChangeSandboxDisputeDto.toChange(change)),
    );
    return success(SandboxDisputeDto.from(changed));
  }
}

function targetOf({ merchantId }: Principal, transactionId: string, key: string | undefined): ChangeTarget {
  return { merchantId, transactionId, key };
}
