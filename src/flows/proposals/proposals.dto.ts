import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayUnique, IsArray, IsIn, IsString, Length, Matches } from 'class-validator';
import { IsOneOf } from '../../openapi/api-field.js';
import { CutBeyond, IsReason, Optional } from '../../platform/http/validation/field-rules.js';
import { PageQueryDto } from '../../platform/http/validation/page-query.dto.js';
import { APPROVAL_REQUEST_STATUSES, FlowApprovalRequestDto } from '../management/flows.dto.js';
import type { CommentRow, ProposalRow } from './proposals.queries.js';

const MAX_COLLEAGUES = 10;
const MAX_COMMENT = 2_000;

export class RequestApprovalDto {
  /** Those who are asked: API clients, or subjects of people. If omitted: everyone who may approve. @example ["client_1d9e2f3a4b5c"] */
  @Optional()
  @IsArray()
  @ArrayMaxSize(MAX_COLLEAGUES)
  @ArrayUnique()
  @CutBeyond(MAX_COLLEAGUES)
  @IsString({ each: true })
  @Length(1, 255, { each: true })
  @ApiProperty({ maxItems: MAX_COLLEAGUES, items: { type: 'string', minLength: 1, maxLength: 255 } })
  colleagues?: string[];

  /** For those who are asked; also in the audit log. @example "Berlin costs less" */
  @Optional()
  @IsReason()
  message?: string;
}

export class WithdrawApprovalRequestDto {
  /** Shown with the proposal and in the audit log. @example "The contract changes" */
  @Optional()
  @IsReason()
  reason?: string;
}

export class RejectVersionDto {
  /** Shown with the proposal and in the audit log. @example "Berlin has no contract for this" */
  @IsReason()
  reason: string;
}

export class CommentVersionDto {
  /** Text of one or more lines. @example "What does Berlin charge for this?" */
  @IsString()
  @Length(1, MAX_COMMENT)
  @Matches(/^(\P{Cc}|\n)*$/u, { message: '$property must not contain control characters' })
  @Matches(/\S/u, { message: '$property must not be empty' })
  comment: string;
}

export class FlowVersionCommentDto {
  /** @example 7 */
  id: number;
  /** The text, as it was written. @example "What does Berlin charge for this?" */
  comment: string;
  /** The API client, or the subject of a person. @example "client_1d9e2f3a4b5c" */
  by: string;
  /** @example "2026-11-21T01:02:03.456Z" */
  at: string;

  static from({ id, comment, commented_by: by, commented_at: at }: CommentRow): FlowVersionCommentDto {
    return { id, comment, by, at: at.toISOString() };
  }
}

export class ProposalsQueryDto extends PageQueryDto {
  /** The state of the last request for an approval. */
  @Optional()
  @IsOneOf('ApprovalRequestStatus', APPROVAL_REQUEST_STATUSES)
  state?: (typeof APPROVAL_REQUEST_STATUSES)[number] = 'waiting';

  /** `me`: without your own versions, and without those for which only others are asked. */
  @Optional()
  @IsIn(['me'])
  @ApiProperty({ enum: ['me'] })
  for?: 'me';
}

/** A version for which an approval was requested. */
export class ProposalDto {
  /** @example 12 */
  flow_id: number;
  /** @example "checkout" */
  flow_name: string;
  /** @example 5 */
  version: number;
  /** The API client that wrote the version. @example "client_0c8c1d1e6f0a" */
  created_by: string | null;
  /** @example "2026-11-21T01:02:03.456Z" */
  created_at: string;
  /** The last request. */
  request: FlowApprovalRequestDto;

  static from({ flow_id, flow_name, version, created_by, created_at, request }: ProposalRow): ProposalDto {
    return {
      flow_id,
      flow_name,
      version,
      created_by,
      created_at: created_at.toISOString(),
      request: FlowApprovalRequestDto.from(request),
    };
  }
}
