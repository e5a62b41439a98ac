import { BASE, notFound, Refusal, type Call, type Resource } from './compute-places.js';
import { fingerprint, newId, now, type Entry } from './compute-store.js';

/** What an operation does, and when. */
export interface Work {
  type: string;
  target: Pick<Entry, 'link' | 'resource'>;
  /** With the request, and never for an operation that fails. */
  accept?: () => void;
  /** When the operation runs, halfway, and before it is done. */
  steps: readonly ((() => void) | undefined)[];
  isDoneAtOnce?: boolean;
}

/** Why an operation fails. */
export interface Failure {
  code: string;
  message: string;
  status?: number;
}

interface Running {
  shown: Resource;
  steps: Work['steps'];
  /** The number of steps that are done. */
  at: number;
  timer?: NodeJS.Timeout;
  done: () => void;
}

/** `zone` or `region` with its link. */
export function placeOf({ project, scope }: Pick<Call, 'project' | 'scope'>): Resource {
  const [places = ''] = scope.split('/');
  return scope === 'global' ? {} : { [places.slice(0, -1)]: `${BASE}projects/${project}/${scope}` };
}

/** The operations of all projects: PENDING, then RUNNING, then DONE. */
export class ComputeOperations {
  private readonly all = new Map<string, Running>();
  /** The link of the operation of each request id. */
  private readonly requested = new Map<string, string>();

  constructor(private readonly operationMs: number) {}

  /** The operation of a repeated request. Null: the request is new. Throws when Google refuses its id. */
  repeated({ query, project }: Call): Resource | null {
    const requestId = query.get('requestId') ?? '';
    if (
      query.has('requestId') &&
      (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(requestId) || /^[0-]+$/.test(requestId))
    )
      throw new Refusal(400, 'invalid', `Invalid value for field 'requestId': '${requestId}'. Must be a valid UUID.`);
    const link = this.requested.get(`${project} ${requestId}`);
    return link === undefined ? null : this.shown(link);
  }

  /** `done`: after the work had its effect. */
  begin(call: Call, { target, type, ...work }: Work, failure: Failure | null, callback: () => void): Resource {
    const { project, scope, query } = call;
    const id = newId();
    const name = `operation-${Date.now()}-${fingerprint().replaceAll(/\W/g, '').toLowerCase()}-${id.slice(-8)}`;
    const link = `projects/${project}/${scope}/operations/${name}`;
    const resource: Resource = {
      ...{ kind: 'compute#operation', id, name, operationType: type, selfLink: BASE + link, ...placeOf(call) },
      ...{ targetLink: BASE + target.link, targetId: target.resource.id, user: 'user@example.com' },
      ...{ status: 'PENDING', progress: 0, insertTime: now(), startTime: now() },
    };
    const operation: Running = {
      shown: resource,
      steps: failure ? [] : work.steps,
      at: 0,
      done: failure ? () => undefined : callback,
    };
    if (failure)
      Object.assign(operation, { steps: [undefined, undefined, () => Object.assign(resource, errorOf(failure))] });
    else work.accept?.();
    this.all.set(link, operation);
    if (query.has('requestId')) this.requested.set(`${project} ${query.get('requestId')}`, link);
    if (work.isDoneAtOnce) this.finish(operation);
    else this.await(operation);
    return structuredClone(resource);
  }

  /** Throws 404. */
  shown(link: string): Resource {
    const operation = this.all.get(link);
    if (!operation) throw notFound(link);
    return structuredClone(operation.shown);
  }

  /** Every running operation has its effect. */
  finishAll(): void {
    for (const operation of this.all.values()) this.finish(operation);
  }

  /** Every running operation has its effect, and none is known any more. */
  forget(): void {
    this.finishAll();
    this.all.clear();
    this.requested.clear();
  }

  /** Running operations stay as they are. */
  stop(): void {
    for (const { timer } of this.all.values()) clearTimeout(timer);
  }

  private await(operation: Running): void {
    if (this.operationMs === 0) return;
    operation.timer = setTimeout(() => {
      this.step(operation);
      if (operation.at < 3) this.await(operation);
    }, this.operationMs / 3);
  }

  private finish(operation: Running): void {
    clearTimeout(operation.timer);
    while (operation.at < 3) this.step(operation);
  }

  private step(operation: Running): void {
    operation.steps[operation.at]?.();
    operation.at += 1;
    const isDone = operation.at === 3;
    Object.assign(operation.shown, isDone ? { status: 'DONE', progress: 100, endTime: now() } : { status: 'RUNNING' });
    if (isDone) operation.done();
  }
}

function errorOf({ code, message, status = 400 }: Failure): Resource {
  const httpErrorMessage = { 403: 'FORBIDDEN', 503: 'SERVICE UNAVAILABLE' }[status] ?? 'BAD REQUEST';
  return { error: { errors: [{ code, message }] }, httpErrorStatusCode: status, httpErrorMessage };
}
