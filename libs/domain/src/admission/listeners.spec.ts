import { readFileSync } from 'node:fs';
import { connectionsOfProcess, LISTENERS, limitsOf, limitsOfGate, type AppListener } from './listeners.js';

const DOCS = new URL('../../../../docs/security.md', import.meta.url);

describe('The table of listeners', () => {
  it('is the one in docs/security.md', () => {
    const text = readFileSync(DOCS, 'utf8');
    for (const [name, row] of Object.entries(LISTENERS)) {
      const { part, unknown, ofNetwork, reserve, ofCaller, signInMs, waiting } = row;
      const cells = [name, part, unknown, ofNetwork, reserve, ofCaller, `${signInMs / 1000} s`, waiting];
      expect(text).toContain(`| ${cells.join(' | ')} |`);
    }
    const { unknown, ofNetwork, reserve } = limitsOfGate(1_000, 30_000);
    expect(text).toContain(`| ${unknown} | ${ofNetwork} | ${reserve} | \`mqtt.max_connections\` |`);
  });

  it.each([
    [20_000, 19_500],
    [1_024, 524],
    [600, 300],
  ])('leaves files of a process with %d open files to other work', (files, connections) => {
    expect(connectionsOfProcess(() => `Max open files            ${files}   ${files}   files`)).toBe(connections);
  });

  it.each<AppListener>(['main-api', 'supervisor-api', 'gateway'])(
    'keeps at least half of the places of %s for callers that have signed in',
    (listener) => {
      const { places, unknown, ofNetwork } = limitsOf(listener, { hasTls: false, places: 100 });
      expect([places, unknown, ofNetwork]).toEqual([100, 50, 50]);
    },
  );
});
