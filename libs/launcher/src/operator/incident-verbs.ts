import type { IncidentId } from '@libs/domain';
import { IncidentCommands } from '@libs/operator';
import { ago, fields, printFacts, printList, say, type Output } from './print.js';
import { withSession } from './with-session.js';

/** `landlord ops incidents list` */
export async function listIncidents(options: Output & { all?: boolean }): Promise<void> {
  const rows = await withSession((session) => new IncidentCommands(session).list(options.all ?? false));
  printList(
    rows,
    {
      ...fields('id', 'kind', 'subject'),
      operation: (row) => row.operation_id,
      opened: (row) => ago(row.opened_at),
      closed: (row) => ago(row.closed_at),
      detail: (row) => row.detail,
    },
    options,
    options.all ? 'No incidents.' : 'No incident is open.',
  );
}

/** `landlord ops incidents show <id>` */
export async function showIncident(id: IncidentId, output: Output): Promise<void> {
  const incident = await withSession((session) => new IncidentCommands(session).get(id));
  printFacts({ ...incident }, incident, output);
}

/** `landlord ops incidents adopt <id>` and `destroy <id>` */
export async function decideIncident(id: IncidentId, decision: 'adopt' | 'destroy'): Promise<void> {
  const { subject } = await withSession((session) => new IncidentCommands(session).decide(id, decision));
  const sentence =
    decision === 'adopt'
      ? 'stays. Landlord does not report it again'
      : 'is destroyed at the next check of the Supervisor';
  say(`${subject} ${sentence}. Landlord closes the incident automatically.`);
}

/** `landlord ops incidents close <id>` */
export async function closeIncident(id: IncidentId): Promise<void> {
  const { kind, subject } = await withSession((session) => new IncidentCommands(session).close(id));
  say(`Incident ${id} (${kind}, ${subject}) is closed. If the problem still exists, Landlord opens a new incident.`);
}
