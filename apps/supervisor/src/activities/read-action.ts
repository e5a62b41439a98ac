import {
  ACTIVITY_VERBS,
  NODE_RUNTIMES,
  parseId,
  validationFailed,
  type ActivityVerb,
  type FieldIssue,
  type NodeRuntime,
  type ConfigId,
} from '@libs/domain';

/** The action in a path. */
export interface RequestedAction {
  runtime: NodeRuntime;
  verb: ActivityVerb;
  /** Only for `reconfigure`. */
  configId: ConfigId | null;
}

/** Reads `{runtime}/{action}` of a path. @throws DomainError validation_failed */
export function readAction(runtime: string, action: string): RequestedAction {
  const issues: FieldIssue[] = [];
  const isRuntime = (NODE_RUNTIMES as readonly string[]).includes(runtime);
  if (!isRuntime) issues.push({ path: '/runtime', code: 'is_in', reason: `must be ${NODE_RUNTIMES.join(' or ')}` });
  const [verb = '', id, ...rest] = action.split(':');
  const configId = id === undefined ? null : parseId(id);
  const isVerb = (ACTIVITY_VERBS as readonly string[]).includes(verb);
  const isComplete = rest.length === 0 && (verb === 'reconfigure' ? configId !== null : id === undefined);
  if (!isVerb || !isComplete)
    issues.push({ path: '/action', code: 'is_in', reason: 'must be start, stop, restart or reconfigure:{config_id}' });
  if (issues.length > 0) throw validationFailed(issues);
  return { runtime: runtime as NodeRuntime, verb: verb as ActivityVerb, configId };
}
