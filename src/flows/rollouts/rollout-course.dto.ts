import { ApiProperty } from '@nestjs/swagger';
import type { Course } from './rollout-course.service.js';

export class StepOutcomesDto {
  /** @example 18 */
  approved: number;
  /** @example 2 */
  declined: number;
}

export class RolloutStepDto {
  /** The beginning of the hour or day, counted from the start of the rollout. @example '2026-11-24T01:02:03.456Z' */
  at: string;
  /** Payments of the version that was active before. */
  base: StepOutcomesDto;
  /** Payments of the new version. */
  candidate: StepOutcomesDto;
}

export class RolloutCourseDto {
  /** The length of a step. */
  @ApiProperty({ enum: ['hour', 'day'], enumName: 'RolloutStepLength' })
  step: Course['step'];
  /** In the order of time, without gaps. */
  steps: RolloutStepDto[];

  static from({ step, steps }: Course): RolloutCourseDto {
    const outcomes = ({ approved, declined }: StepOutcomesDto): StepOutcomesDto => ({ approved, declined });
    return {
      step,
      steps: steps.map(({ at, base, candidate }) => ({
        at: at.toISOString(),
        base: outcomes(base),
        candidate: outcomes(candidate),
      })),
    };
  }
}
