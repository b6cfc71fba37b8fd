import { IsIn } from 'class-validator';
import { ApiEnum } from '../../openapi/api-field.js';
import { Optional } from '../../platform/http/validation/field-rules.js';
import { OBJECTIVES, type SuccessRateOptions } from './definition.js';

/** Options of the strategy `success_rate`. */
export class SuccessRateDto {
  /**
   * The value that the strategy compares. `approvals`: the shops' approval rates. `margin`: the rate times the share of
   * the amount that is left after the shop's fee; an unknown fee counts as 0. If omitted: `approvals`. @example "margin"
   */
  @Optional()
  @IsIn(OBJECTIVES)
  @ApiEnum('SuccessRateObjective', OBJECTIVES)
  objective?: (typeof OBJECTIVES)[number];

  static toOptions({ objective }: SuccessRateDto): SuccessRateOptions {
    return { ...(objective !== undefined && { objective }) };
  }
}
