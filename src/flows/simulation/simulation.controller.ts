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
    summary: 'The shop of a payment now',
    value: { flow_name: 'checkout', amount: 49.9, currency: 'EUR', country: 'DE' },
  },
  simple: {
    summary: 'Check only if there is a shop',
    value: { flow_name: 'checkout', currency: 'EUR', simple: true },
  },
  explained: {
    summary: 'The reasons for the pick, and against the other shops',
    value: { flow_name: 'checkout', customer_id: 7, explain: true },
  },
  payer: {
    summary: 'The shop of a payer with a token of Stripe',
    value: { flow_name: 'checkout', payment_method: { options: [{ provider: 'stripe' }] } },
  },
  shares: { summary: 'The next hundred payments', value: { flow_name: 'checkout', count: 100 } },
  outage: {
    summary: 'What if a shop were down',
    value: { flow_name: 'checkout', count: 100, overrides: { shops: { '1': { healthy: false } } } },
  },
  draft: {
    summary: 'What if the flow were changed, at a given counter',
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
          { when: { country: { equals: 'RU' } }, decline: { code: 'blocked_country' } },
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
    summary: 'Simulate a flow without changing anything',
    description:
      'Returns the shop that a payment would go to now. If there is no shop, or a rule declines the payment, this is a ' +
      'result, not an error: `data.success` is false. With `simple` the whole answer is `true` or `false`. With `explain` it contains ' +
      'the reasons, and for every other shop the smallest single change that would have picked it. `count`, ' +
      '`overrides`, `at_counter` and `definition` are assumptions; any of them can be combined. Nothing is ' +
      'written.',
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
