import { Injectable } from '@nestjs/common';
import { decide, type Decision } from './decision.js';
import { FlowLoaderService, type LoadedFlow } from './flow-loader.service.js';
import { routableFlow } from './routable-flow.js';
import type { RoutingRequest } from './routing.js';

/** What a payment would get. */
export interface Simulation {
  flow: LoadedFlow;
  decision: Decision;
}

/** Runs flows without changing anything: all of it reads. */
@Injectable()
export class FlowSimulationService {
  constructor(private readonly flows: FlowLoaderService) {}

  /** What routing would answer now. Problems: `flow_not_found`. */
  async simulate(merchantId: number, flowName: string, request: RoutingRequest): Promise<Simulation> {
    const flow = await this.flows.load(merchantId, flowName);
    const { definition, shops, version, counter, performance } = flow;
    const decision = decide(routableFlow(definition, shops, version), request, {
      counter,
      performance,
      random: () => 0.5,
    });
    return { flow, decision };
  }
}
