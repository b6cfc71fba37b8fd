import { Controller, Get, Header, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentOwner, CurrentPrincipal, type Principal, RequireScopes } from '../../access/access.js';
import { ApiSuccess, ApiSuccessPage } from '../../openapi/api-success.js';
import { MerchantSlots } from '../../platform/cpu-scheduler/merchant-slots.js';
import type { WorkOwner } from '../../platform/cpu-scheduler/work-owner.js';
import { success, type Success, type SuccessPage, successPage } from '../../platform/http/routes.js';
import { ApprovalPayments } from './approval-payments.service.js';
import { ApprovalPaymentsQueryDto, ApprovalsQueryDto, filterOf, SegmentQueryDto } from './approvals-query.dto.js';
import { ApprovalsOverTimeDto, SegmentApprovalsDto, SegmentPaymentDto } from './approvals.dto.js';
import { ApprovalsService } from './approvals.service.js';

/** Each report may hold a database connection for some seconds, which payments then do not have. */
const SLOTS = { what: 'reports of approvals', total: 2, perMerchant: 1, waitingPerMerchant: 10, waiting: 50 };

@ApiTags('insights')
@Controller('insights/approvals')
export class ApprovalsController {
  private readonly slots = new MerchantSlots(SLOTS);

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
      'Hours of more than 48 hours ago are known only as days in UTC: such a time in `from` or `to` stands for its whole day, ' +
      'and the answer says which. ' +
      'A filter with an empty value, such as `country=`, selects attempts for which the field is unknown. Facts of the ' +
      'provider about the card come before those of the payment. More than a day by BIN may have too many segments to count: ' +
      'the answer is 400, and asks for a shorter period or a shop.',
  })
  @ApiSuccess(SegmentApprovalsDto)
  async read(
    @CurrentPrincipal() { merchantId }: Principal,
    @Query() query: ApprovalsQueryDto,
    @CurrentOwner() owner: WorkOwner,
  ): Promise<Success<SegmentApprovalsDto>> {
    const request = ApprovalsQueryDto.toRequest(query);
    const approvals = await this.slots.run(owner, () => this.approvals.read(merchantId, request));
    return success(SegmentApprovalsDto.from(approvals));
  }

  @Get('over-time')
  @Header('cache-control', 'no-store')
  @RequireScopes('payments:read')
  @ApiOperation({
    summary: 'Read approvals by hour or day, with the period before',
    description:
      'Takes the filters of `GET /insights/approvals`. Steps are hours if the period has at most 48, all of the last 48 hours; otherwise days in UTC.',
  })
  @ApiSuccess(ApprovalsOverTimeDto)
  async overTime(
    @CurrentPrincipal() { merchantId }: Principal,
    @Query() query: SegmentQueryDto,
    @CurrentOwner() owner: WorkOwner,
  ): Promise<Success<ApprovalsOverTimeDto>> {
    const steps = await this.slots.run(owner, () => this.approvals.steps(merchantId, filterOf(query)));
    return success(ApprovalsOverTimeDto.from(steps));
  }

  @Get('payments')
  @Header('cache-control', 'no-store')
  @RequireScopes('payments:read')
  @ApiOperation({
    summary: 'List the payments behind a cell of approvals, newest first',
    description:
      'Takes the filters of `GET /insights/approvals`, and lists the attempts that its cell counts. A page looks at 20,000 ' +
      'payments: it may be short, even empty, and still have a next one.',
  })
  @ApiSuccessPage(SegmentPaymentDto)
  async list(
    @CurrentPrincipal() { merchantId }: Principal,
    @Query() query: ApprovalPaymentsQueryDto,
    @CurrentOwner() owner: WorkOwner,
  ): Promise<SuccessPage<SegmentPaymentDto>> {
    const filter = ApprovalPaymentsQueryDto.toFilter(query);
    const page = ApprovalPaymentsQueryDto.toPage(query);
    const found = await this.slots.run(owner, () => this.payments.list(merchantId, filter, page));
    return successPage(found, (row) => SegmentPaymentDto.from(row));
  }
}
