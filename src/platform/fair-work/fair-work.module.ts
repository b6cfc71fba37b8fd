import { Module } from '@nestjs/common';
import { FairWork } from './fair-work.service.js';

@Module({ providers: [FairWork], exports: [FairWork] })
export class FairWorkModule {}
