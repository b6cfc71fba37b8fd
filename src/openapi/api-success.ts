import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { schemaRef } from './schemas.js';

interface ApiSuccessOptions {
  /** The first part of the schema's name; default: the DTO's. For names of the last release. */
  name?: string;
  /** Default 200. */
  status?: number;
  description?: string;
  /** Other media types that a request may ask for. */
  content?: Record<string, object>;
  /** The schema of a page's `pagination`; by default `Pagination`. */
  pagination?: 'EventPagination';
  /** `data` may be `null`. */
  nullable?: boolean;
  /** Headers in addition to those of every answer. */
  headers?: Record<string, { description: string; schema: { type: string; enum?: string[] } }>;
}

/** Documents `{ success: true, data }` with the DTO as `data`, or an array of it for `[Dto]`. */
export function ApiSuccess(dto: Type | [Type], options: ApiSuccessOptions = {}): MethodDecorator {
  if (Array.isArray(dto)) return respond(dto[0], 'ListResponse', { success: SUCCESS, data: arrayOf(dto[0]) }, options);
  const data = options.nullable ? { anyOf: [reference(dto), { type: 'null' }] } : reference(dto);
  return respond(dto, 'Response', { success: SUCCESS, data }, options);
}

/** Documents one page of a list: `{ success: true, data: [Dto], pagination }`. */
export const ApiSuccessPage = (dto: Type, options: ApiSuccessOptions = {}): MethodDecorator =>
  respond(
    dto,
    'Page',
    { success: SUCCESS, data: arrayOf(dto), pagination: schemaRef(options.pagination ?? 'Pagination') },
    options,
  );

/** Not an enum: Python's generated models do not accept boolean enum values. */
const SUCCESS = { type: 'boolean', description: 'Always `true`.' };

const paginationSchema = (nextCursor: object): object => ({
  type: 'object',
  required: ['next_cursor', 'has_more'],
  properties: {
    next_cursor: nextCursor,
    has_more: { type: 'boolean', description: 'Whether another page can be read now.' },
  },
});

/** The `pagination` of every page, and of a page of events, which goes on with later events. */
export const PAGINATION_SCHEMAS = {
  Pagination: paginationSchema({
    type: ['string', 'null'],
    description: 'Send it as `cursor` to get the next page; `null`: this is the last one.',
  }),
  EventPagination: paginationSchema({
    type: 'string',
    description: 'Send it as `after` to get the next page, also if there is no next event yet.',
  }),
};

const reference = (dto: Type): { $ref: string } => ({ $ref: getSchemaPath(dto) });
const arrayOf = (dto: Type): object => ({ type: 'array', items: reference(dto) });

/** The title makes it a named schema: see `refineSchemas`. */
function respond(
  model: Type,
  suffix: string,
  properties: Record<string, object>,
  { name, status = 200, description = 'Success', headers = {}, content }: ApiSuccessOptions,
): MethodDecorator {
  const title = (name ?? model.name.replace(/Dto$/, '')) + suffix;
  const schema = { title, type: 'object', required: Object.keys(properties), properties };
  return applyDecorators(
    ApiExtraModels(model),
    ApiResponse({ status, description, headers, content: { 'application/json': { schema }, ...content } }),
  );
}
