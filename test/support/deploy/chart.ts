import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

export const CHART = fileURLToPath(new URL('../../../deploy/helm/payment-orchestrator', import.meta.url));
export type Values = Record<string, unknown>;

const read = (path: string) => readFileSync(join(CHART, path), 'utf8');
export const chartValues = parse(read('values.yaml')) as Values;
export const chartSchema = JSON.parse(read('values.schema.json')) as object;
export const chartMetadata = parse(read('Chart.yaml')) as Record<string, unknown>;
/** The texts of all templates. */
export const templates = readdirSync(join(CHART, 'templates')).map((name) => read(`templates/${name}`));
