/** A resource that a write creates or starts. The API names it in a header (C-1.5). */
export type ResourceKind =
  | 'tenant'
  | 'division'
  | 'environment'
  | 'deployment'
  | 'operation'
  | 'role'
  | 'api-key'
  | 'cloud-account'
  | 'invitation'
  | 'ownership-transfer'
  | 'access-rule'
  | 'config'
  | 'backup'
  | 'connector-instance'
  | 'snapshot'
  | 'task'
  | 'peering'
  | 'endpoint-service'
  | 'attachment'
  | 'channel'
  | 'subscription';

export type ResourceIds = Partial<Record<ResourceKind, number>>;

/** The result of a write that creates or starts resources: the record that the caller gets, and the ids. */
export class Written<T = void> {
  constructor(
    readonly record: T,
    readonly ids: ResourceIds,
  ) {}
}
