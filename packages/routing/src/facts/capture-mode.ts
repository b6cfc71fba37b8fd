export const CAPTURE_MODES = ['automatic', 'manual'] as const;

/** `automatic`: the charge captures. `manual`: it only authorises, and the merchant captures later. */
export type CaptureMode = (typeof CAPTURE_MODES)[number];
