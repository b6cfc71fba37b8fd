import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Schema } from '@payment-orchestrator/client';
import { auditCsv } from './audit-csv';
import { detailsOf } from './audit-details';
import { ACTIONS, actionText, OBJECT_TYPES, validAuditSearch } from './audit-filter';

const { schemas } = (
  JSON.parse(readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8')) as {
    components: { schemas: Record<string, { enum: string[] }> };
  }
).components;

const entry = (fields: Partial<Schema<'AuditEntry'>> = {}): Schema<'AuditEntry'> => ({
  id: 7,
  at: '2026-11-21T01:02:03.456Z',
  actor: { type: 'client', client_id: 'demo', name: null },
  action: 'shop.updated',
  object: { type: 'shop', id: '3' },
  fields: ['name', 'enabled'],
  details: {},
  address: '203.0.113.7',
  request_id: 'r-1',
  ...fields,
});

describe('the filter of the audit log', () => {
  it('knows every action and every type of object', () => {
    expect([...ACTIONS].sort()).toEqual([...schemas['AuditAction']!.enum].sort());
    expect([...OBJECT_TYPES].sort()).toEqual([...schemas['AuditObjectType']!.enum].sort());
    expect(actionText('something.newer')).toBe('something.newer');
  });

  it('takes the valid parameters of the URL and drops the others', () => {
    expect(validAuditSearch({ action: 'shop.updated', object_id: 3, actor: 'cli', from: '2026-11-21' })).toEqual({
      action: 'shop.updated',
      object_id: '3',
      actor: 'cli',
      from: '2026-11-21T00:00:00.000Z',
    });
    expect(validAuditSearch({ action: 'x', object_type: 'y', actor: 'z', client_id: ' ', to: 'w', v: 1 })).toEqual({});
  });
});

describe('detailsOf', () => {
  it('returns the names of the fields and the further details as texts', () => {
    const details = { count: 3, statuses: ['failed', 'delivered'], note: { deep: true } };
    expect(detailsOf(entry({ details }))).toEqual([
      ['fields', 'name, enabled'],
      ['count', '3'],
      ['statuses', 'failed, delivered'],
      ['note', '{"deep":true}'],
    ]);
    expect(detailsOf(entry({ fields: [] }))).toEqual([]);
  });
});

describe('auditCsv', () => {
  it('writes one line per entry, quoted where necessary', () => {
    const lines = auditCsv([
      entry(),
      entry({ actor: { type: 'cli', client_id: null, name: null }, address: null }),
    ]).split('\r\n');
    expect(lines).toEqual([
      '\uFEFFid,at,action,object_type,object_id,actor,client_id,address,request_id,details',
      '7,2026-11-21T01:02:03.456Z,shop.updated,shop,3,client,demo,203.0.113.7,r-1,"fields=name, enabled"',
      '7,2026-11-21T01:02:03.456Z,shop.updated,shop,3,cli,,,r-1,"fields=name, enabled"',
      '',
    ]);
  });

  it.each(['=1+1', '+1', '-1', '@sum', '\t=1'])('writes the text %j so that it is no formula', (text) => {
    expect(auditCsv([entry({ request_id: text })])).toContain(`,'${text},`);
  });

  it('doubles quotes', () => {
    expect(auditCsv([entry({ request_id: 'a "b"' })])).toContain(',"a ""b""",');
  });
});
