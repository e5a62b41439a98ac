import {
  DestructionHoldRepository,
  IncidentCommandsRepository,
  MachineCommandsRepository,
  OperatorActionsRepository,
  PlacementCommandsRepository,
  RolloutCommandsRepository,
} from '../src/operator/index.js';
import { callsOf } from './calls-of.fixture.js';
import { CELL, MACHINE, NODE, ROW, TENANT } from './typeorm-rows.fixture.js';

export const OPERATOR_CALLS = [
  callsOf(OperatorActionsRepository, {
    insert: (actions) =>
      actions.insert({ operator: 'me@here', verb: 'drain', subject: 'cell', tenantId: TENANT, detail: { a: 1 } }),
  }),
  callsOf(IncidentCommandsRepository, {
    list: (incidents) => incidents.list(false),
    find: (incidents) => incidents.find(ROW),
    close: (incidents) => incidents.close(ROW),
    decide: (incidents) => incidents.decide(ROW, 'adopt'),
    closeKind: (incidents) => incidents.closeKind('unknown_resource'),
  }),
  callsOf(RolloutCommandsRepository, { stop: (rollouts) => rollouts.stop(ROW) }),
  callsOf(PlacementCommandsRepository, {
    drainCell: (placement) => placement.drainCell(CELL),
    resumeCell: (placement) => placement.resumeCell('drained'),
    forgetCell: (placement) => placement.forgetCell('drained'),
    drainNode: (placement) => placement.drainNode(NODE),
    resumeNode: (placement) => placement.resumeNode(NODE + 1),
  }),
  callsOf(MachineCommandsRepository, { drain: (machines) => machines.drain(MACHINE) }),
  callsOf(DestructionHoldRepository, {
    since: (hold) => hold.since(),
    end: (hold) => hold.end(),
  }),
];
