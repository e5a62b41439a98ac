import { REQUESTS } from '../generated/requests.js';
import { NO_CHOICE, noneOf } from './no-choice.js';
import type { RequestShape } from './shape.js';

/** Optional choices without a default in the document. Their pages say what no choice means, or have no such choice. */
const SAID_BY_PAGES = [
  ...['cloudAccounts.update status', 'configs.create name', 'configs.preview name'],
  'deployments.createManaged managed_tier',
  ...['deployments.preview managed_tier', 'deployments.previewUpgrade managed_tier', 'deployments.previewUpgrade tier'],
  ...['deployments.upgrade managed_tier', 'deployments.upgrade tier'],
];

describe('The choice that gives nothing', () => {
  it.each([
    ['Where the clients of the deployment are. Default `same_region`.', 'Default: same region'],
    ['Network Drive or Local NVMe; default Network Drive.', 'Default: Network Drive'],
    ['Static public IP; default true.', 'Default: yes'],
    ['The only node to back up. Default: all nodes.', 'Default: all nodes'],
    ['Share of a core. Default: 0.5. From 0.1 to 1.', 'Default: 0.5'],
    ['Confines the member to this division.', NO_CHOICE],
  ])('says what happens: %s', (text, words) => {
    expect(noneOf({ text })).toBe(words);
  });

  it('asks for a choice where the request needs one', () => {
    expect(noneOf({ text: 'Default `a`.', required: true })).toBe('Choose');
  });

  it('has words of its own for each request', () => {
    const shapes = Object.entries(REQUESTS).flatMap(([group, requests]) =>
      Object.entries(requests as Readonly<Record<string, RequestShape>>).map(
        ([name, shape]) => [`${group}.${name}`, shape] as const,
      ),
    );
    const silent = shapes.flatMap(([request, { members }]) =>
      members
        .filter(({ kind, choices }) => choices && kind !== 'texts' && kind !== 'numbers')
        .filter((shape) => noneOf(shape) === NO_CHOICE)
        .map(({ member }) => `${request} ${member}`),
    );

    expect(silent.sort()).toEqual(SAID_BY_PAGES);
  });
});
