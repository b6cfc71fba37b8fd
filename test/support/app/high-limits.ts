/** Rate limits that no test reaches by the way; what they cost is paid. */
export const HIGH_LIMITS = {
  RATE_LIMIT_PER_SECOND: '1000000',
  TOKEN_RATE_LIMIT_PER_MINUTE: '1000000',
  NOTIFICATION_RATE_LIMIT_PER_SECOND: '1000000',
};
