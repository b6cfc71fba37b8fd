import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayNotEmpty, ArrayUnique, IsArray, IsIn } from 'class-validator';
import { IsOneOf } from '../../openapi/api-field.js';
import { CutBeyond, Optional } from '../../platform/http/validation/field-rules.js';
import { SEGMENT_FIELDS, type SegmentField } from '@payment-orchestrator/routing/facts/segment';
import { OBJECTIVES } from '@payment-orchestrator/routing/definition/definition';
import { MAX_SEGMENT_FIELDS } from '@payment-orchestrator/routing/definition/shape-errors';

/** Options of the strategy `success_rate`. */
export class SuccessRateDto {
  /**
   * The value that the strategy compares. `approvals`: the shops' approval rates. `margin`: the rate times the share of
   * the amount that is left after the shop's fee; an unknown fee counts as 0. If omitted: `approvals`. @example "margin"
   */
  @Optional()
  @IsOneOf('SuccessRateObjective', OBJECTIVES)
  objective?: (typeof OBJECTIVES)[number];

  /**
   * One or two fields that divide payments into segments. In each segment the shops are compared by their approval rates
   * there. Where a segment has few outcomes, the rate of the first field decides, then that of the whole shop. If omitted:
   * the rate of the whole shop. @example ["card.scheme"]
   */
  @Optional()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_SEGMENT_FIELDS)
  @ArrayUnique()
  @CutBeyond(MAX_SEGMENT_FIELDS)
  @IsIn(SEGMENT_FIELDS, { each: true })
  @ApiProperty({
    enum: SEGMENT_FIELDS,
    enumName: 'SegmentField',
    isArray: true,
    minItems: 1,
    maxItems: MAX_SEGMENT_FIELDS,
  })
  by?: SegmentField[];
}
