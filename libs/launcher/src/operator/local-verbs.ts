import {
  CloudError,
  LocalOtherSide,
  OtherSideRefused,
  type Caller,
  type ConnectionMove,
  type LocalConnection,
  type LocalConnectionKind,
  type LocalConnectionSelector,
} from '@libs/cloud';
import { readConfig } from '../config.js';
import { LauncherError } from '../launcher-error.js';
import { isFileProblem } from './file-problems.js';
import { fields, printList, say, type Output } from './print.js';

/** Options that select among equal names. */
export interface LocalConnectionChoice {
  kind?: LocalConnectionKind;
  connection?: string;
}

const NO_PACKET = 'The local cloud stores only states and transfers no packets.';

/** `landlord ops local list` */
export async function listLocalConnections(output: Output): Promise<void> {
  const localConnections = await atOtherSide((side) => side.list());
  if (output.json) return printList(localConnections, {}, output);
  printList(
    localConnections.flatMap(rowsOf),
    {
      ...fields('name', 'kind'),
      deployment: (row) => row.deployment_id,
      ...fields('state', 'connection', 'owner'),
    },
    output,
    'The local cloud has no peering, endpoint service or service attachment.',
  );
  if (localConnections.length > 0) say(NO_PACKET);
}

/** `landlord ops local accept <name>` */
export async function acceptLocalConnection(name: string, choice: LocalConnectionChoice): Promise<void> {
  if (choice.connection !== undefined) return moveConnection(name, choice, 'accept');
  await sayState((side) => side.accept(named(name, choice)));
}

/** `landlord ops local reject <name>` */
export async function rejectLocalConnection(name: string, choice: LocalConnectionChoice): Promise<void> {
  if (choice.connection !== undefined) return moveConnection(name, choice, 'reject');
  await sayState((side) => side.reject(named(name, choice)));
}

/** `landlord ops local expire <name>` */
export async function expireLocalConnection(name: string, choice: LocalConnectionChoice): Promise<void> {
  await sayState((side) => side.expire(named(name, choice)));
}

/** `landlord ops local close <name> --connection <id>` */
export async function closeLocalConnection(name: string, choice: LocalConnectionChoice): Promise<void> {
  await moveConnection(name, choice, 'close');
}

/** `landlord ops local connect <name> --owner <account or project>` */
export async function connectLocalConnection(name: string, options: LocalConnectionChoice & Caller): Promise<void> {
  const { owner, network, endpoint } = options;
  const caller: Caller = {
    owner,
    ...(network !== undefined && { network }),
    ...(endpoint !== undefined && { endpoint }),
  };
  const consumer = await atOtherSide((side) => side.connect(named(name, options), caller));
  say(`Connection ${consumer.connection_id} of ${consumer.owner} to ${name} is ${consumer.status}. ${NO_PACKET}`);
}

async function moveConnection(name: string, choice: LocalConnectionChoice, move: ConnectionMove): Promise<void> {
  const { connection = '' } = choice;
  const moved = await atOtherSide((side) => side.moveConnection(named(name, choice), connection, move));
  say(`Connection ${moved.connection_id} of ${moved.owner} to ${name} is ${moved.status}. ${NO_PACKET}`);
}

async function sayState(act: (side: LocalOtherSide) => Promise<LocalConnection>): Promise<void> {
  const { name, state } = await atOtherSide(act);
  say(`${name} is ${state}. ${NO_PACKET}`);
}

/** Needs only the data directory: no database and no running Landlord. */
async function atOtherSide<T>(act: (side: LocalOtherSide) => Promise<T>): Promise<T> {
  try {
    return await act(new LocalOtherSide(readConfig().dataDir));
  } catch (error) {
    if (error instanceof OtherSideRefused || error instanceof CloudError || isFileProblem(error))
      throw new LauncherError(error.message, { cause: error });
    throw error;
  }
}

const named = (name: string, { kind }: LocalConnectionChoice): LocalConnectionSelector => ({
  name,
  ...(kind !== undefined && { kind }),
});

/** A row for the service, and one per connection with the id that accept, reject and close need. */
function rowsOf(localConnection: LocalConnection) {
  const { name, kind, deployment_id, state } = localConnection;
  const connections = localConnection.consumers.map(({ connection_id: connection, owner, status }) => {
    return { name, kind: 'connection', deployment_id, state: status, connection, owner };
  });
  return [{ name, kind: kind as string, deployment_id, state, connection: null, owner: null }, ...connections];
}
