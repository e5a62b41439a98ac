export * from './access/access.decorator.js';
export { Actor as ActingCaller } from './access/actor.js';
export { API_KEY_HEADER, API_KEY_SCHEME } from './access/strategies/names.js';
export { registerStrategies } from './access/strategies/strategies.js';
export { Admission } from './access/admission.js';
export { EXPOSED_HEADERS } from './access/cross-origin.js';
export { isFromThisMachine, isMeantForThisMachine } from './access/from-this-machine.js';
export { observedAdmission } from './access/observed-admission.js';
export { callerName } from './access/caller-name.js';
export { isSecureRequest, PublicScheme, sessionCookie, sessionCookieName } from './access/strategies/session-cookie.js';
export { CSRF_HEADER, requireInScope, requirePermission } from './access/authorize.js';
export * from './access/still-allowed.decorator.js';
export * from './access/within-plan.decorator.js';
export { Answer } from './answers/answer.js';
export * from './answers/answers.decorator.js';
export { etagOf, isUnchanged } from './answers/etag.js';
export * from './answers/page.js';
export * from './answers/page.query.js';
export { LAST_REPORT } from './answers/last-report.js';
export { CLIENTS, PROTOCOLS, ProtocolsView } from './answers/protocols.view.js';
export * from './input/code.query.js';
export * from './input/further-faults.js';
export * from './input/is-moment.js';
export * from './input/only-when.js';
export * from './input/list.rules.js';
export * from './input/name.rules.js';
export * from './input/nested.rules.js';
export * from './input/query.rules.js';
export * from './input/presence.js';
export { IgnoresUnknownQuery, TakesBodyOf } from './input/route-input.js';
export * from './input/published-pattern.js';
export * from './input/rules.js';
export { ReadBy } from './input/members.js';
export { requireUnchanged, UpdateDto } from './input/update.dto.js';
export * from './create-app.js';
export { ApiAnyValue } from './docs/any-values.js';
export { Example } from './docs/example.decorator.js';
export type { EnumNames } from './docs/name-enums.js';
export * from './docs/openapi.js';
export * from './docs/resource.decorator.js';
export { operationIdOfHandler, type OperationNames } from './docs/operation-ids.js';
export type { ApiPart } from './docs/part-of.js';
export { declaredErrors, FailsWith } from './errors/fails-with.decorator.js';
export { outageRefusal } from './errors/outage-refusal.js';
export { ProblemFilter } from './errors/problem.filter.js';
export { RefusalLog } from './errors/refusal-log.js';
export * from './http.module.js';
export { endStart } from './lifetime/end-start.js';
export { Shutdown } from './lifetime/shutdown.js';
export * from './metrics/metrics.js';
export * from './ports.js';
export { asUuid, factsOf } from './request-facts.js';
export { Deprecated } from './routes/deprecated.decorator.js';
export { PathId } from './routes/path-id.decorator.js';
export type { PathParameters } from './routes/path-parameters.js';
export { ROUTES, Routes } from './routes/routes.decorator.js';
export * from './streams/event-feed.js';
export { Prepared } from './writes/prepared.js';
export {
  IfMatch,
  KeepsNoAnswer,
  PreparesFirst,
  TakesIdempotencyKey,
  Writes,
  WritesUnaudited,
  WritesWhenChanged,
} from './writes/writes.decorator.js';
export { AUDITED, IDEMPOTENT, type AuditRule } from './writes/writes.metadata.js';
export * from './health/health.controller.js';
export * from './logging/pino-logger.js';
