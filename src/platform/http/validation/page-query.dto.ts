import { Type } from 'class-transformer';
import { IsOptional, IsString, Length } from 'class-validator';
import { type DeadlinePageRequest, decodeCursor, decodeDeadline, type PageRequest } from '../../../shared/cursor.js';
import { IsIntegerIn, Optional } from './field-rules.js';

/** The query parameters of every list. */
export class PageQueryDto {
  /** Items per page. */
  @IsOptional()
  @Type(() => Number)
  @IsIntegerIn(1, 100)
  limit?: number = 20;

  /** `pagination.next_cursor` of the page before. */
  @IsOptional()
  @IsString()
  cursor?: string;

  static toPageRequest(query: PageQueryDto): PageRequest {
    return { limit: query.limit ?? 20, ...(query.cursor !== undefined && { beforeId: decodeCursor(query.cursor) }) };
  }

  /** The page of a list by deadline, whose cursor may also be a place in it. */
  static toDeadlineRequest(query: PageQueryDto): DeadlinePageRequest {
    const after = query.cursor === undefined ? undefined : decodeDeadline(query.cursor);
    return after ? { limit: query.limit ?? 20, after } : PageQueryDto.toPageRequest(query);
  }
}

/** The query parameters of a list of named objects, such as shops. */
export class NamedPageQueryDto extends PageQueryDto {
  /** Only objects whose name contains this text; upper and lower case count as the same. @example "checkout" */
  @Optional()
  @IsString()
  @Length(1, 200)
  name_contains?: string;
}
