import { DomainError } from './domain-error.js';

/** The record that has the wanted name already. */
export interface NameHolder {
  /** Null: the name is free. */
  id: number | null;
  /** The record that is being renamed. It may keep its name. */
  own?: number | null;
  /** Whether the caller may read the record with this id. Only then the error contains the id. */
  isReadable: (id: number) => boolean;
}

/**
 * `kind`: the kind of record as a person says it, for example `cloud account`.
 * @throws DomainError name_taken
 */
export function requireFreeName(kind: string, name: string, { id, own: ownId = null, isReadable }: NameHolder): void {
  if (id === null || id === ownId) return;
  throw new DomainError('name_taken', `Another ${kind} has the name ${name}.`, {
    members: isReadable(id) ? { id } : {},
  });
}
