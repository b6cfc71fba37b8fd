import { ValidateBy } from 'class-validator';

const MAX_BYTES = 16 * 1024;

function metadataError(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object';
  const bytes = Buffer.byteLength(JSON.stringify(value));
  return bytes > MAX_BYTES ? `must be at most ${MAX_BYTES} bytes of JSON, got ${bytes}` : undefined;
}

/** A free-form JSON object of at most 16 KiB. */
export const IsMetadata = (): PropertyDecorator =>
  ValidateBy({
    name: 'isMetadata',
    validator: {
      validate: (value) => metadataError(value) === undefined,
      defaultMessage: (args) => `$property ${metadataError(args?.value)}`,
    },
  });
