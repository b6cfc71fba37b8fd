import { Controller, Get, Header, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal, RequireScopes } from '../../access/access.js';
import { ApiSuccess, ApiSuccessPage } from '../../openapi/api-success.js';
import { success, type Success, type SuccessPage, successPage } from '../../platform/http/routes.js';
import { ApprovalPayments } from './approval-payments.service.js';
import { ApprovalPaymentsQueryDto, ApprovalsQueryDto } from './approvals-query.dto.js';
import { SegmentApprovalsDto, SegmentPaymentDto } from './approvals.dto.js';
import { ApprovalsService } from './approvals.service.js';

@ApiTags('insights')
@Controller('insights/approvals')
export class ApprovalsController {
  constructor(
    private readonly approvals: ApprovalsService,
    private readonly payments: ApprovalPayments,
  ) {}

  @Get()
  @Header('cache-control', 'no-store')
  @RequireScopes('payments:read')
  @ApiOperation({
    summary: 'Compare approvals, declines and answer times by shop and segment',
    description:
      'Counts attempts of whole hours, also those of a moment ago, and compares them with the equally long period before. ' +
      'A filter with an empty value, such as `country=`, selects attempts for which the field is unknown. Facts of the ' +
      'provider about the card come before those of the payment. A very long period with many segments may answer 503: ' +
      'shorten it or name a shop.',
  })
  @ApiSuccess(SegmentApprovalsDto)
  async read(
    @CurrentPrincipal() { merchantId }: Principal,
    @Query() query: ApprovalsQueryDto,
  ): Promise<Success<SegmentApprovalsDto>> {
    const approvals = await this.approvals.read(merchantId, ApprovalsQueryDto.toRequest(query));
    return success(SegmentApprovalsDto.from(approvals));
  }

  @Get('payments')
  @Header('cache-control', 'no-store')
  @RequireScopes('payments:read')
  @ApiOperation({
    summary: 'List the payments behind a cell of approvals, newest first',
    description:
      'Takes the filters of `GET /insights/approvals`. Finds attempts that began within an hour of the creation of their ' +
      'payment. A page looks at 20,000 payments: it may be short, even empty, and still have a next one.',
  })
  @ApiSuccessPage(SegmentPaymentDto)
  async list(
    @CurrentPrincipal() { merchantId }: Principal,
    @Query() query: ApprovalPaymentsQueryDto,
  ): Promise<SuccessPage<SegmentPaymentDto>> {
    const filter = ApprovalPaymentsQueryDto.toFilter(query);
    const page = await this.payments.list(merchantId, filter, ApprovalPaymentsQueryDto.toPage(query));
    return successPage(page, (row) => SegmentPaymentDto.from(row));
  }
}
