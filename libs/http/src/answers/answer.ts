/** Headers with the ids of the resources that a request created (C-1.5). */
export type LdId =
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
  | 'service'
  | 'attachment'
  | 'channel'
  | 'subscription';

export type LdIds = Partial<Record<LdId, number>>;

/** A body with headers: the return value of write handlers. The route sets the status (`@Creates`, `@Accepts`, …). */
export class Answer<T = void> {
  constructor(
    readonly body: T,
    readonly headers: Readonly<Record<string, string>>,
  ) {}
}

/** Creates an answer with the ids of the created resources and their location. */
export function answer<T>(body: T, ids: LdIds, location?: string): Answer<T> {
  const headers: Record<string, string> = {};
  for (const [name, id] of Object.entries(ids)) headers[`ld-${name}`] = String(id);
  if (location !== undefined) headers['location'] = location;
  return new Answer(body, headers);
}
