import { gateHash } from '../../control/gate-settings.js';
import type { BrokerContact, BrokerRuntime, GateState } from '../../control/broker-runtime.js';
import type { NodeHome } from '../../control/node-home.js';
import type { NodeDocument } from '@libs/domain';
import { gateStateOf, reconcileGate } from './reconcile-gate.js';

const HOME: NodeHome = { dir: '/node', installation: 'test', nodeId: 1 };
const documentWith = (proxies?: string[]): NodeDocument =>
  ({
    spec: { access_rules: [], credentials: { username: 'a', password: 'b', version: 1 }, ...(proxies && { proxies }) },
  }) as unknown as NodeDocument;

/** The states that a running gate with the state of one document gets for another document. */
async function applied(running: NodeDocument, desired: NodeDocument): Promise<GateState[]> {
  const states: GateState[] = [];
  const runtime = { applyGate: async (_home: NodeHome, state: GateState) => void states.push(state) };
  const contact = { gateHash: gateHash(gateStateOf(running, 0)), serverOffsetMs: 0 } as BrokerContact;
  await reconcileGate(runtime as unknown as BrokerRuntime, HOME, contact, gateStateOf(desired, 0));
  return states;
}

describe('reconcileGate', () => {
  it.each([
    ['get networks of proxies', undefined, ['10.0.0.0/24']],
    ['have other networks of proxies', ['10.0.1.0/24'], ['10.0.0.0/24']],
    ['lose their networks of proxies', ['10.0.0.0/24'], undefined],
  ])('changes the gates of nodes that %s', async (_how, before, after) => {
    const states = await applied(documentWith(before), documentWith(after));

    expect(states).toMatchObject([{ proxies: after ?? [] }]);
  });

  it.each([[undefined], [['10.0.0.0/24']]])('changes nothing when the networks are %s as before', async (proxies) => {
    expect(await applied(documentWith(proxies), documentWith(proxies))).toEqual([]);
  });

  it('has the hash of earlier releases without networks of proxies', () => {
    const state = gateStateOf(documentWith(), 0);

    expect(gateHash({ ...state, proxies: [] })).toBe(gateHash({ rules: state.rules, credentials: state.credentials }));
  });
});
