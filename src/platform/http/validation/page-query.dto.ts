import { Type } from 'class-transformer';
import { IsOptional, IsString, Max, Min } from 'class-validator';
import { decodeCursor, type PageRequest } from '../../../shared/cursor.js';
import { IsInteger } from './field-rules.js';

/** The query of every list. */
export class PageQueryDto {
  /** Items per page. */
  @IsOptional()
  @Type(() => Number)
  @IsInteger()
  @Min(1)
  @Max(100)
  limit?: number = 20;

  /** `pagination.next_cursor` of the page before. */
  @IsOptional()
  @IsString()
  cursor?: string;

  static toPageRequest(query: PageQueryDto): PageRequest {
    return { limit: query.limit ?? 20, ...(query.cursor !== undefined && { beforeId: decodeCursor(query.cursor) }) };
  }
}
