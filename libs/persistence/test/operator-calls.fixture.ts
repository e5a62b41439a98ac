import { Ledger } from '@libs/ledger';
import {
  CellCommands,
  DestructionHold,
  IncidentCommands,
  MachineCommands,
  NodeCommands,
  OperatorJournal,
  RolloutCommands,
  type OperatorSession,
} from '@libs/operator';
import { LedgerRepository } from '../src/ledger/index.js';
import { callsOn, type RepositoryCalls } from './calls-of.fixture.js';
import { CELL, MACHINE, NODE, ROW } from './typeorm-rows.fixture.js';

/** The calls of one class of commands. A command reads before it writes, so its write is a method of its own. */
const commandCalls = <Commands>(
  owner: new (session: OperatorSession) => Commands,
  calls: Record<string, (commands: Commands) => Promise<unknown>>,
): RepositoryCalls =>
  callsOn(owner.name, (database, secrets) => new owner({ database, secrets } as unknown as OperatorSession), calls);

export const OPERATOR_CALLS = [
  callsOn(
    OperatorJournal.name,
    (database) => {
      const ledger = new Ledger(database, new LedgerRepository(database), { daysByPlan: {} as never });
      return new OperatorJournal(database, ledger, 'me@here');
    },
    { record: (journal) => journal.record({ verb: 'drain', subject: 'cell', detail: { a: 1 } }) },
  ),
  commandCalls(IncidentCommands, {
    list: (incidents) => incidents.list(false),
    get: (incidents) => incidents.get(ROW),
    storeEnd: (incidents) => incidents['storeEnd'](ROW),
    storeDecision: (incidents) => incidents['storeDecision'](ROW, 'adopt'),
  }),
  commandCalls(RolloutCommands, { storeStop: (rollouts) => rollouts['storeStop'](ROW) }),
  commandCalls(CellCommands, {
    storeDrain: async (cells) => [await cells['storeDrain'](CELL, true), await cells['storeDrain']('drained', false)],
    deleteProcesses: (cells) => cells['deleteProcesses']('drained'),
  }),
  commandCalls(NodeCommands, {
    storeDrain: async (nodes) => [await nodes['storeDrain'](NODE, true), await nodes['storeDrain'](NODE + 1, false)],
  }),
  commandCalls(MachineCommands, { storeDrain: (machines) => machines['storeDrain'](MACHINE) }),
  commandCalls(DestructionHold, {
    since: (hold) => hold.since(),
    storeEnd: (hold) => hold['storeEnd'](),
    closeIncidents: (hold) => hold['closeIncidents'](),
  }),
];
