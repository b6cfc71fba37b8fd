import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';

interface ApiSuccessOptions {
  /** Default 200. */
  status?: number;
  description?: string;
  /** Other types that a request may ask for, by their media type. */
  content?: Record<string, object>;
}

/** Documents `{ success: true, data }` with the DTO, or an array of it for `[Dto]`, as `data`. */
export function ApiSuccess(dto: Type | [Type], options: ApiSuccessOptions = {}): MethodDecorator {
  const [model, data] = Array.isArray(dto) ? [dto[0], arrayOf(dto[0])] : [dto, reference(dto)];
  return respond(model, { success: SUCCESS, data }, options);
}

/** Documents one page of a list: `{ success: true, data: [Dto], pagination }`. */
export const ApiSuccessPage = (dto: Type, options: ApiSuccessOptions = {}): MethodDecorator =>
  respond(dto, { success: SUCCESS, data: arrayOf(dto), pagination: PAGINATION }, options);

const SUCCESS = { type: 'boolean', enum: [true] };

const PAGINATION = {
  type: 'object',
  required: ['next_cursor', 'has_more'],
  properties: {
    next_cursor: { type: 'string', nullable: true, description: 'To be sent as `cursor` for the next page.' },
    has_more: { type: 'boolean' },
  },
};

const reference = (dto: Type): { $ref: string } => ({ $ref: getSchemaPath(dto) });
const arrayOf = (dto: Type): object => ({ type: 'array', items: reference(dto) });

function respond(model: Type, properties: Record<string, object>, options: ApiSuccessOptions): MethodDecorator {
  const schema = { type: 'object', required: Object.keys(properties), properties };
  const { status = 200, description = 'Success', content } = options;
  return applyDecorators(
    ApiExtraModels(model),
    ApiResponse({ status, description, content: { 'application/json': { schema }, ...content } }),
  );
}
