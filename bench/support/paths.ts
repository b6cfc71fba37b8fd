import { fileURLToPath } from 'node:url';

/** The project's folder. This file runs as dist-bench/bench/support/paths.js. */
export const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));

/** The compiled file of a program of the bench, such as `processes/receiver`. */
export const program = (name: string): string => fileURLToPath(new URL(`../${name}.js`, import.meta.url));
