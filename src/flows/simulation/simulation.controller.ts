import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { RequireScopes, CurrentPrincipal, type Principal, CurrentOwner } from '../../access/access.js';
import { CpuBound, type WorkOwner } from '../../platform/cpu-scheduler/work-owner.js';
import { ApiProblems } from '../../openapi/api-problems.js';
import { success, type Success } from '../../platform/http/routes.js';
import { FlowSimulationDto, SimulateFlowDto } from './simulation.dto.js';
import { FlowSimulationService } from './simulation.service.js';

const EXAMPLES = {
  now: {
    summary: 'Where a payment would go now',
    value: { flow_name: 'checkout', amount: 49.9, currency: 'EUR', country: 'DE' },
  },
  simple: {
    summary: 'Whether there is a shop at all',
    value: { flow_name: 'checkout', currency: 'EUR', simple: true },
  },
  explained: { summary: 'Why, and why not elsewhere', value: { flow_name: 'checkout', customer_id: 7, explain: true } },
  shares: { summary: 'The next hundred payments', value: { flow_name: 'checkout', count: 100 } },
  outage: {
    summary: 'What if a shop were down',
    value: { flow_name: 'checkout', count: 100, overrides: { shops: { '1': { healthy: false } } } },
  },
  draft: {
    summary: 'What if the flow were another one, at a counter of our choice',
    value: {
      flow_name: 'checkout',
      at_counter: 0,
      count: 10,
      explain: true,
      definition: {
        strategy: 'rules',
        shops: [{ shop_id: 1, weight: 3 }, { shop_id: 2 }],
        rules: [
          {
            when: { currency: { in: ['EUR', 'CHF'] }, amount: { min: 500 } },
            use: { shops: [2], strategy: 'priority' },
          },
        ],
        default: { shops: [1, 2], strategy: 'weighted' },
      },
    },
  },
};

@ApiTags('flows')
@Controller('flows')
export class FlowSimulationController {
  constructor(private readonly simulations: FlowSimulationService) {}

  @Post('simulate')
  @HttpCode(200)
  @CpuBound()
  @RequireScopes('flows:simulate')
  @ApiOperation({
    summary: 'Run a flow without changing anything',
    description:
      'Answers which shop a payment would go to now. No shop for the payment is a result, not an error: `data.success` is false. ' +
      'With `simple` the whole answer is `true` or `false`. With `explain` it says why, and for every other shop the smallest ' +
      'single change that would have picked it. `count`, `overrides`, `at_counter` and `definition` ask what if; any of them ' +
      'may be combined, and nothing is ever written.',
  })
  @ApiBody({ type: SimulateFlowDto, examples: EXAMPLES })
  @ApiExtraModels(FlowSimulationDto)
  @ApiOkResponse({
    description: 'The decision; a bare boolean when `simple` is true',
    schema: {
      title: 'SimulationResponse',
      oneOf: [
        {
          type: 'object',
          required: ['success', 'data'],
          properties: {
            success: { type: 'boolean' },
            data: { $ref: getSchemaPath(FlowSimulationDto) },
          },
        },
        { type: 'boolean' },
      ],
    },
  })
  @ApiProblems('flow_not_found', 'validation_failed')
  async simulate(
    @CurrentPrincipal() principal: Principal,
    @Body() request: SimulateFlowDto,
    @CurrentOwner() owner: WorkOwner,
  ): Promise<Success<FlowSimulationDto> | boolean> {
    const simulation = await this.simulations.simulate(
      principal.merchantId,
      request.flow_name,
      SimulateFlowDto.toRoutingRequest(request),
      SimulateFlowDto.toWhatIf(request),
      owner,
    );
    return request.simple ? simulation.shop !== undefined : success(FlowSimulationDto.from(simulation));
  }
}
