import { isRowFault } from './row-fault.js';

/**
 * How requests share statements that write. As many statements at once as leave half of the smallest usual pool to
 * everybody else: a commit that waits for the disk does not hold up who comes next.
 */
export const GROUPED_WRITES = { maxSize: 100, maxRuns: 5, isolates: isRowFault };
