import { parentPort, workerData } from 'node:worker_threads';
import { Logger } from '@nestjs/common';
import { exploreScenarios, type Share } from './explore-scenarios.js';

Logger.overrideLogger(false);
await exploreScenarios(workerData as Share, (finding) => parentPort!.postMessage(finding));
