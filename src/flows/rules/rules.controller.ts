import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentOwner, CurrentPrincipal, type Principal, RequireScopes } from '../../access/access.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { ApiSuccess } from '../../openapi/api-success.js';
import { CpuBound, type WorkOwner } from '../../platform/cpu-scheduler/work-owner.js';
import { success, type Success } from '../../platform/http/routes.js';
import { IdParam } from '../../platform/http/validation/id-param.js';
import { FlowRulesDto } from './rules.dto.js';
import { FlowRulesService } from './rules.service.js';

@ApiTags('flows')
@Controller('flows/:id/rules')
export class FlowRulesController {
  constructor(private readonly rules: FlowRulesService) {}

  @Get()
  @CpuBound()
  @RequireScopes('flows:read')
  @ApiOperation({
    operationId: 'FlowRules_find',
    summary: 'How often each rule of the active version decides, and which rules may be dead',
    description:
      'Hits are counted from the newest payments: each for the rule that decided it, also a declined one. They belong to the rule ' +
      'itself, so they stay when a version only adds or moves rules. An edited rule begins at 0.',
  })
  @ApiSuccess(FlowRulesDto)
  @ApiProblems('flow_not_found', 'too_many_requests')
  async find(
    @CurrentPrincipal() principal: Principal,
    @IdParam('id') id: number,
    @CurrentOwner() owner: WorkOwner,
  ): Promise<Success<FlowRulesDto>> {
    return success(FlowRulesDto.from(await this.rules.find(principal.merchantId, id, owner)));
  }
}
