/** One line for each change of an OpenAPI document that breaks a client or a receiver of the older one. */
export function breakingChanges(released: object, current: object): string[];
