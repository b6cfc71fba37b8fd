import { execFileSync } from 'node:child_process';
import { parseAllDocuments } from 'yaml';
import { installedHelm } from '../servers/helm.mjs';
import { CHART, type Values } from './chart.js';

/** Helm built from source assumes Kubernetes 1.20. */
const TARGET = ['--kube-version', '1.31.0'];

interface Container {
  name: string;
  command: string[];
  env: { name: string; value?: string; valueFrom?: unknown }[];
  envFrom?: { secretRef: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  resources: { limits?: { memory?: string } };
  securityContext: unknown;
  lifecycle?: { preStop: { exec: { command: string[] } } };
  [probe: string]: unknown;
}

export interface PodTemplate {
  metadata: { labels: Record<string, string>; annotations?: Record<string, string> };
  spec: { containers: Container[]; terminationGracePeriodSeconds?: number; [field: string]: unknown };
}

/** A Kubernetes object, with the fields that tests use. */
export interface Manifest {
  kind: string;
  metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> };
  spec: { template: PodTemplate; selector: { matchLabels: Record<string, string> }; [field: string]: unknown };
}

const helm = installedHelm();

/** The output of Helm; throws with its error message. */
function run(args: string[], values: Values): string {
  const input = JSON.stringify(values);
  return execFileSync(helm, [...args, '--values', '-'], { input, encoding: 'utf8', stdio: 'pipe' });
}

export const lint = (values: Values = {}): string => run(['lint', CHART, '--strict', ...TARGET], values);

/** The objects of a release `shop` in the namespace `pay`. */
export const render = (values: Values = {}): Manifest[] =>
  parseAllDocuments(run(['template', 'shop', CHART, '--namespace', 'pay', ...TARGET], values))
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
