import { FlowDefinitionDto } from '../definition/definition.dto.js';
import type { FlowVersion, FlowVersionStatus } from './versions.service.js';

export class FlowVersionDto {
  /** 1 for the flow as it was created, each later version one more. @example 2 */
  version: number;
  /** `draft`: never active so far; `retired`: was active, and can be activated again. @example "draft" */
  status: FlowVersionStatus;
  /** As a new version, a simulation and a replay take it. */
  definition: FlowDefinitionDto;
  /** @example "2026-11-21T01:02:03.456Z" */
  created_at: string;
  /** When it was activated last; `null` for a draft. @example "2026-11-21T01:02:03.456Z" */
  activated_at: string | null;

  static from({ version, status, definition, created_at, activated_at }: FlowVersion): FlowVersionDto {
    return {
      version,
      status,
      definition,
      created_at: created_at.toISOString(),
      activated_at: activated_at?.toISOString() ?? null,
    };
  }
}
