import { Injectable } from '@nestjs/common';
import { idsWithin } from '../../platform/database/first-id-since.js';
import { ReplicaReads } from '../../platform/database/replica-reads.js';
import { Clock, DAY_MS } from '../../shared/clock.js';
import { type CourseRow, MAX_PAYMENTS, PAYMENTS_IN_TIME, ROLLOUT_COURSE } from './rollout-course.queries.js';
import type { RolloutRow } from './rollouts.queries.js';

/** Outcomes of both versions in a step of time. */
interface CourseStep {
  at: Date;
  base: StepOutcomes;
  candidate: StepOutcomes;
}

type StepOutcomes = Pick<CourseRow, 'approved' | 'declined'>;

export interface Course {
  step: 'hour' | 'day';
  steps: CourseStep[];
}

const HOUR_MS = 3_600_000;
/** A longer rollout is shown by day. */
const HOURLY_MS = 48 * HOUR_MS;
/** More days than a rollout takes: the last ones are shown. */
const MAX_STEPS = 366;
const NOTHING: StepOutcomes = { approved: 0, declined: 0 };

/** The course of a rollout over time, from its payments. */
@Injectable()
export class RolloutCourse {
  constructor(
    private readonly reads: ReplicaReads,
    private readonly clock: Clock,
  ) {}

  async read({ id, flow_id: flowId, version, started_at: begin, ended_at: ended }: RolloutRow): Promise<Course> {
    const end = ended ?? this.clock.now();
    const stepMs = end.getTime() - begin.getTime() <= HOURLY_MS ? HOUR_MS : DAY_MS;
    const { from, below } = await idsWithin(this.reads, PAYMENTS_IN_TIME, { from: begin, to: end });
    const bounds = [from, below, begin, stepMs / 1_000, MAX_PAYMENTS];
    const rows = await this.reads.query<CourseRow>(ROLLOUT_COURSE, [flowId, id, version, ...bounds]);
    const last = Math.max(0, Math.ceil((end.getTime() - begin.getTime()) / stepMs) - 1);
    const first = Math.max(0, last - MAX_STEPS + 1);
    const outcomes = (step: number, candidate: boolean): StepOutcomes =>
      rows.find((row) => row.step === step && row.candidate === candidate) ?? NOTHING;
    return {
      step: stepMs === HOUR_MS ? 'hour' : 'day',
      steps: Array.from({ length: last - first + 1 }, (_, index) => ({
        at: new Date(begin.getTime() + (first + index) * stepMs),
        base: outcomes(first + index, false),
        candidate: outcomes(first + index, true),
      })),
    };
  }
}
