import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal, RequireScopes } from '../../access/access.js';
import { TakesReadSlot } from '../../access/read-slots.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { ApiSuccess, ApiSuccessPage } from '../../openapi/api-success.js';
import { type Success, success, type SuccessPage, successPage } from '../../platform/http/routes.js';
import { looksAt } from '../../platform/http/walked-page.js';
import { IdParam } from '../../platform/http/validation/id-param.js';
import { PageQueryDto } from '../../platform/http/validation/page-query.dto.js';
import { DisputeDto, ListDisputesQueryDto } from './disputes.dto.js';
import { DisputesService } from './disputes.service.js';

@ApiTags('payments')
@Controller()
export class DisputesController {
  constructor(private readonly disputes: DisputesService) {}

  @Get('disputes')
  @TakesReadSlot()
  @RequireScopes('payments:read')
  @ApiOperation({
    summary: 'List disputes',
    description:
      'Disputes are reported by providers. Submit evidence in the dashboard of the provider: find the dispute there by ' +
      '`provider_dispute_id`. `GET /events` has `dispute.opened`, `dispute.updated` and `dispute.closed`. ' +
      looksAt('disputes', 'With times'),
  })
  @ApiSuccessPage(DisputeDto)
  async list(
    @CurrentPrincipal() { merchantId }: Principal,
    @Query() query: ListDisputesQueryDto,
  ): Promise<SuccessPage<DisputeDto>> {
    const filter = ListDisputesQueryDto.toFilter(query);
    const page =
      query.sort === 'due'
        ? await this.disputes.listByDue(merchantId, filter, PageQueryDto.toDeadlineRequest(query))
        : await this.disputes.list(merchantId, filter, PageQueryDto.toPageRequest(query));
    return successPage(page, (row) => DisputeDto.from(row));
  }

  @Get('disputes/:id')
  @RequireScopes('payments:read')
  @ApiOperation({
    summary: 'Read a dispute',
    description: 'As the provider last reported it; the amount is in the major unit of the currency.',
  })
  @ApiSuccess(DisputeDto)
  @ApiProblems('dispute_not_found')
  async find(@CurrentPrincipal() { merchantId }: Principal, @IdParam('id') id: number): Promise<Success<DisputeDto>> {
    return success(DisputeDto.from(await this.disputes.find(merchantId, id)));
  }

  @Get('payments/:id/disputes')
  @RequireScopes('payments:read')
  @ApiOperation({
    summary: 'Every dispute of a payment, oldest first',
    description: 'Also disputes of its earlier attempts. Not divided into pages.',
  })
  @ApiSuccess([DisputeDto])
  @ApiProblems('payment_not_found')
  async listByPayment(
    @CurrentPrincipal() { merchantId }: Principal,
    @IdParam('id') id: number,
  ): Promise<Success<DisputeDto[]>> {
    const disputes = await this.disputes.listByPayment(merchantId, id);
    return success(disputes.map((row) => DisputeDto.from(row)));
  }
}
