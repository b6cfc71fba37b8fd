import { describe, expect, it } from '@jest/globals';
import { type Chart, plot } from '../../../bench/support/plots.js';

describe('plot', () => {
  const chart: Chart = {
    file: 'drain.svg',
    title: 'Drain <of> messages',
    better: 'more is better',
    groups: [
      { name: '50 endpoints', values: [5_398, 2_590], lastRun: 'cold.rate' },
      { name: '1 endpoint', values: [6_252, 2_213] },
    ],
  };
  const peers = { source: '2026-11-26', systems: ['ours', 'Svix'] };

  it('draws a bar for each figure, with a background and escaped text', () => {
    const svg = plot(chart, peers);
    expect(svg.match(/<rect x=/g)).toHaveLength(4);
    expect(svg).toContain('fill="#ffffff"');
    expect(svg).toContain('>6,252</text>');
    expect(svg).toContain('Drain &lt;of> messages');
  });

  it('adds the median of the last run if it has the same measurement', () => {
    const rows = [{ label: 'rate', key: 'cold.rate', samples: [4_000, 5_000, 7_000] }];
    const svg = plot(chart, peers, { name: '2026-11-27T02-00-00.json', sections: [{ rows }] });
    expect(svg.match(/<rect x=/g)).toHaveLength(5);
    expect(svg).toContain('ours, run of 2026-11-27');
    expect(svg).toContain('>5,000</text>');
  });
});
