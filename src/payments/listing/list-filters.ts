/** The filters of a list apart from the status, in the order of their parameters. */
export const LIST_FILTERS = [
  'transactionId',
  'sessionId',
  'customerId',
  'customerReference',
  'customerEmail',
  'metadataKey',
  'metadataValue',
  'shopId',
  'flowId',
  'from',
  'to',
  'updatedFrom',
  'moreMetadata',
] as const;
export type ListFilter = (typeof LIST_FILTERS)[number];
