import { parentPort, workerData } from 'node:worker_threads';
import { Logger } from '@nestjs/common';
import { exploreWorlds, type Share } from './explore-worlds.js';

Logger.overrideLogger(false);
await exploreWorlds(workerData as Share, (finding) => parentPort!.postMessage(finding));
