import type { EndpointValues } from './endpoint-values';

/** A part of the form. */
export interface FormPart {
  values: EndpointValues;
  /** Changes some fields. */
  set: (part: Partial<EndpointValues>) => void;
  /** The error of the request, for the messages at the fields. */
  error: unknown;
}
