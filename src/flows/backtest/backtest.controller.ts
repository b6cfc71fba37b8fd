import { applyDecorators, Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScopes, CurrentPrincipal, type Principal, CurrentOwner } from '../../access/access.js';
import { CpuBound, type WorkOwner } from '../../platform/cpu-scheduler/work-owner.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { ApiSuccess } from '../../openapi/api-success.js';
import { success, type Success } from '../../platform/http/routes.js';
import { IdParam } from '../../platform/http/validation/id-param.js';
import { ReplayFlowDto, ReplayResultDto } from './backtest.dto.js';
import { BacktestService } from './backtest.service.js';

const EXAMPLES = {
  version: { summary: 'A stored version', value: { version: 1 } },
  draft: {
    summary: 'A draft that is not stored: the newest thousand payments of a day',
    value: {
      definition: { strategy: 'weighted', shops: [{ shop_id: 1, weight: 3 }] },
      from: '2026-11-20T00:00:00Z',
      to: '2026-11-21T00:00:00Z',
      limit: 1_000,
    },
  },
};

/** Its path before 0.2, and the one since. */
const Backtest = (path: 'backtest' | 'replay', operationId: string): MethodDecorator =>
  applyDecorators(
    Post(path),
    HttpCode(200),
    CpuBound(),
    RequireScopes('flows:simulate'),
    ApiOperation({
      operationId,
      deprecated: path === 'replay',
      summary: path === 'replay' ? 'Use POST /flows/{id}/backtest' : 'Run past payments through a draft',
      description:
        "Returns where the flow's past payments would have gone, without changing anything. A payment keeps the " +
        'counter and the random number of its own decision, and the health and approval rates of shops at that ' +
        'time. So an unchanged flow decides as before. `counter` and `draws` count the payments without recorded ' +
        'values. Otherwise, shops are used in their current state, and as healthy. Refused payments are not ' +
        'included. `approval` estimates the share that the first shop would have approved, with 95 % intervals. ' +
        'It is based on payments that went by rotation, weight or chance to the shops that the draft prefers; ' +
        '`doubt` is set if this is not enough. `costs` has the fees before and after, by the fees of now. A merchant can run one backtest at a time, and one more can wait.',
    }),
    ApiBody({ type: ReplayFlowDto, examples: EXAMPLES }),
    ApiSuccess(ReplayResultDto),
    ApiProblems('flow_not_found', 'flow_version_not_found', 'validation_failed', 'too_many_requests'),
  );

@ApiTags('flows')
@Controller('flows/:id')
export class BacktestController {
  constructor(private readonly backtests: BacktestService) {}

  @Backtest('backtest', 'FlowBacktest_backtest')
  async backtest(
    @CurrentPrincipal() principal: Principal,
    @IdParam('id') id: number,
    @Body() request: ReplayFlowDto,
    @CurrentOwner() owner: WorkOwner,
  ): Promise<Success<ReplayResultDto>> {
    const result = await this.backtests.backtest(principal.merchantId, id, ReplayFlowDto.toRequest(request), owner);
    return success(ReplayResultDto.from(result));
  }

  @Backtest('replay', 'FlowReplay_replay')
  replay(
    @CurrentPrincipal() principal: Principal,
    @IdParam('id') id: number,
    @Body() request: ReplayFlowDto,
    @CurrentOwner() owner: WorkOwner,
  ): Promise<Success<ReplayResultDto>> {
    return this.backtest(principal, id, request, owner);
  }
}
