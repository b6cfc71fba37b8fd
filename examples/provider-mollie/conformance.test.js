import { after, before, describe, it } from 'node:test';
import { conformance } from '@payment-orchestrator/provider-kit/testing';
import { mollieFixture } from './fixture.js';

conformance({ describe, it, beforeAll: before, afterAll: after }, 'Mollie', mollieFixture);
