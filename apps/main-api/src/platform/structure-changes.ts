import type { DivisionId, EnvironmentId } from '@libs/domain';
import type { ActingCaller } from '@libs/http';
import type { Ledger, LedgerEvent, LedgerRecord } from '@libs/ledger';

/** A division or an environment. */
interface Named<Id extends number> {
  id: Id;
  name: string;
}

/** A change of a division, or of an environment in a division. */
export interface StructureChange {
  kind: 'division' | 'environment';
  change: 'created' | 'updated' | 'deleted';
  division: Named<DivisionId>;
  environment: Named<EnvironmentId> | null;
  data: object;
}

const VERBS = { created: 'created', updated: 'changed', deleted: 'deleted' } as const;

/** Records the audit entry and the event of the change. */
export async function recordStructureChange(
  ledger: Ledger,
  actor: ActingCaller,
  change: StructureChange,
): Promise<void> {
  await ledger.record(recordOf(actor, change));
}

/** Records the environments that the deletion of their division deletes, with one statement. */
export async function recordDeletedEnvironments(
  ledger: Ledger,
  actor: ActingCaller,
  division: Named<DivisionId>,
  environments: readonly Named<EnvironmentId>[],
): Promise<void> {
  const records = environments.map((environment) =>
    recordOf(actor, {
      kind: 'environment',
      change: 'deleted',
      division,
      environment,
      data: { name: environment.name },
    }),
  );
  await ledger.recordAll(records);
}

function recordOf(
  actor: ActingCaller,
  { kind, change, division, environment, data }: StructureChange,
): LedgerRecord & { event: LedgerEvent } {
  const type = `${kind}_${change}` as const;
  const { id, name } = environment ?? division;
  const title = kind === 'division' ? 'Division' : 'Environment';
  return {
    audit: type,
    event: { type, key: `${type}:${id}:${actor.requestId}`, subject: `${title} ${name} was ${VERBS[change]}`, data },
    author: actor.author,
    context: {
      tenantId: actor.tenantId,
      division: named(division),
      environment: environment && named(environment),
      deployment: null,
    },
    data,
    traceId: actor.traceId,
  };
}

const named = <Id extends number>({ id, name }: Named<Id>): Named<Id> => ({ id, name });
