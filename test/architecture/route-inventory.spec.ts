import 'reflect-metadata';
import { AUDIT_TYPES, ERRORS, isPermission } from '@libs/domain';
import { ACCESS, AUDITED, declaredErrors, IDEMPOTENT, PageQuery, PAGINATED, ROUTES } from '@libs/http';
import type { AccessRule, AuditRule } from '@libs/http';
import ts from 'typescript';
import { allRoutes, type AppRoute } from './sources/apps.js';
import { decoratorsOf, nodesOf, parse, sourcesUnder } from './sources/sources.js';

/** A new line here makes a route public: state the reason in the decorator. */
const PUBLIC = [
  'main-api: GET /',
  'main-api: GET /console',
  'main-api: GET /console/*path',
  'main-api: GET /console/assets',
  'main-api: GET /console/assets/*path',
  'main-api: GET /errors',
  'main-api: GET /guides',
  'main-api: GET /guides/*path',
  'main-api: GET /health/live',
  'main-api: GET /health/ready',
  'main-api: GET /metrics',
  'main-api: GET /pages/channel',
  'main-api: GET /pages/command_line',
  'main-api: GET /pages/forgot',
  'main-api: GET /pages/home',
  'main-api: GET /pages/invitation',
  'main-api: GET /pages/join_request',
  'main-api: GET /pages/ownership_transfer',
  'main-api: GET /pages/reset',
  'main-api: GET /pages/sign_in',
  'main-api: GET /pages/sign_up',
  'main-api: GET /pages/unsubscribe',
  'main-api: GET /pages/verify',
  'main-api: GET /pricing',
  'main-api: POST /account/first_sign_in',
  'main-api: POST /account/password_reset',
  'main-api: POST /account/sign_in',
  'main-api: POST /account/sign_up',
  'main-api: POST /account/verify',
  'main-api: POST /login_codes/redeem',
  'main-api: POST /notifications/confirm',
  'main-api: POST /notifications/unsubscribe',
  'main-api: PUT /account/password_reset',
  'supervisor: GET /downloads/:token',
  'supervisor: GET /health/live',
  'supervisor: GET /health/ready',
  'supervisor: GET /metrics',
];

/**
 * Routes for a user without a verified e-mail address, who may not own the address: read and change the account,
 * request another mail, sign out. Nothing that outlives the session may be in this list.
 */
const BEFORE_VERIFICATION = [
  'main-api: DELETE /account/sessions',
  'main-api: DELETE /account/sessions/:session_id',
  'main-api: DELETE /account/sign_out',
  'main-api: GET /account',
  'main-api: GET /account/sessions',
  'main-api: POST /account/verification',
  'main-api: PUT /account/password',
  'main-api: PUT /account/settings',
];

/**
 * Names that the access guard resolves, and the ids below them (C-1.3). The guard would not check a second name for the
 * same resource.
 */
const PATH_PARAMETERS = [
  ...['tenant_id', 'division_id', 'environment_id', 'deployment_id', 'operation_id', 'node_id'],
  ...[
    'api_key_id',
    'role_id',
    'user_id',
    'member_id',
    'invitation_id',
    'join_request_id',
    'ownership_transfer_id',
    'session_id',
    'channel_id',
    'subscription_id',
    'delivery_id',
  ],
  ...['cloud_account_id', 'config_id', 'access_rule_id', 'rule_id', 'peering_id', 'service_id', 'attachment_id'],
  ...['backup_id', 'snapshot_id', 'task_id', 'connector_instance_id', 'connector_id', 'invoice_id', 'activity_id'],
  'billing_report_id',
  ...['cloud', 'region', 'config_name', 'key', 'runtime', 'version', 'type', 'email', 'token', 'period'],
  'action',
];

/** The lists below may only shrink: an entry that is no longer needed fails, too. */
const LONG_HANDLERS: string[] = [];
const UNDECLARED_AUDIT: string[] = [];

/** Decorators that state an answer. */
const ANSWERS = ['Reads', 'Lists', 'Streams', 'Sends', 'Creates', 'Accepts', 'Returns', 'HttpCode', 'ReadsConnections'];

const routes = allRoutes();
const titles = (wanted: AppRoute[]): string[] => wanted.map(({ title }) => title).sort();
const meta = <T>(key: symbol, { handler }: AppRoute): T | undefined =>
  Reflect.getMetadata(key, handler) as T | undefined;
const accessOf = (route: AppRoute): AccessRule | undefined => meta(ACCESS, route);
const isWrite = ({ method }: AppRoute): boolean => method !== 'GET';

describe('every route', () => {
  it('is part of this inventory', () => {
    const decorated = sourcesUnder('apps', 'libs')
      .filter((path) => path.endsWith('.controller.ts'))
      .flatMap((path) => nodesOf(parse(path), ts.isMethodDeclaration))
      .filter((method) => decoratorsOf(method).some((name) => /^(Get|Sse|Post|Put|Delete|Patch|All)$/.test(name)));

    const inventoried = new Set(routes.map(({ handler }) => handler));

    expect(routes.length).toBeGreaterThan(20);
    expect(inventoried.size).toBe(decorated.length);
  });

  it('belongs to a controller with @Routes, which refuses a route that says too little', () => {
    const others = routes.filter(({ controller }) => Reflect.getMetadata(ROUTES, controller) !== true);

    expect(titles(others)).toEqual([]);
  });

  it('declares its callers, with a permission of the catalogue', () => {
    const undeclared = routes.filter((route) => {
      const access = accessOf(route);
      return access === undefined || (access.kind === 'permission' && !isPermission(access.permission));
    });

    expect(titles(undeclared)).toEqual([]);
  });

  it('requires a key, except the routes in this list', () => {
    expect(titles(routes.filter((route) => accessOf(route)?.kind === 'public'))).toEqual(PUBLIC);
  });

  it('requires a verified e-mail address, except the routes in this list', () => {
    const isOpen = (access?: AccessRule): boolean => access?.kind === 'session_only' && access.beforeVerification;

    expect(titles(routes.filter((route) => isOpen(accessOf(route))))).toEqual(BEFORE_VERIFICATION);
  });

  it('that is public and hashes a password has the lower rate limit', () => {
    const hashing = routes.filter((route) => {
      const access = accessOf(route);
      return access?.kind === 'public' && access.hashesPassword;
    });

    expect(titles(hashing)).toEqual([
      'main-api: POST /account/sign_in',
      'main-api: POST /account/sign_up',
      'main-api: POST /account/verify',
      'main-api: PUT /account/password_reset',
    ]);
  });

  it('is the only one with its method and path', () => {
    const all = routes.map(({ app, method, path }) => `${app}: ${method} ${path.replace(/:\w+/g, ':')}`);

    expect(all.filter((title, index) => all.indexOf(title) !== index)).toEqual([]);
  });

  it('declares only errors of the catalogue', () => {
    const unknown = routes.flatMap(({ handler }) => declaredErrors(handler)).filter((code) => !(code in ERRORS));

    expect(unknown).toEqual([]);
  });

  it('with ids below the tenant declares the errors for missing parents', () => {
    const missing = routes.filter(({ path, handler }) => {
      const wanted = ['division', 'environment', 'deployment'].filter((level) => path.includes(`:${level}_id`));
      const declared: string[] = declaredErrors(handler);
      return wanted.some((level) => !declared.includes(`${level}_not_found`));
    });

    expect(titles(missing)).toEqual([]);
  });

  it('uses the names of path parameters that the guard resolves', () => {
    const used = routes.flatMap(({ path }) => path.match(/:\w+/g) ?? []).map((name) => name.slice(1));

    expect(used.filter((name) => !PATH_PARAMETERS.includes(name))).toEqual([]);
  });
});

describe('every write', () => {
  it('runs in one transaction, at most once', () => {
    expect(titles(routes.filter((route) => isWrite(route) && meta(IDEMPOTENT, route) !== true))).toEqual([]);
  });

  it('declares what it audits, or why nothing', () => {
    const silent = routes.filter((route) => isWrite(route) && meta<AuditRule>(AUDITED, route) === undefined);

    expect(titles(silent)).toEqual(UNDECLARED_AUDIT);
  });

  it('records only types of the catalogue', () => {
    const types = routes.flatMap((route) => meta<AuditRule>(AUDITED, route)?.types ?? []);

    expect(types.filter((type) => !(type in AUDIT_TYPES))).toEqual([]);
  });

  it('that states no answer has no result', () => {
    const withResult = handlerSources().filter(
      ({ method, decorators }) =>
        !decorators.some((name) => ANSWERS.includes(name)) &&
        !/^Promise<(Prepared<)?(void|Written|Written<undefined>|Answer<undefined>)>+$/.test(
          method.type?.getText() ?? '',
        ),
    );

    expect(withResult.map(({ title }) => title)).toEqual([]);
  });

  it('is not a GET: reads record nothing and open no transaction', () => {
    const reads = routes.filter((route) => !isWrite(route));

    expect(titles(reads.filter((route) => meta(AUDITED, route) ?? meta(IDEMPOTENT, route)))).toEqual([]);
  });
});

describe('every list with pages', () => {
  it('is documented as a list and accepts page and results', () => {
    const halfPaged = routes.filter((route) => {
      const takesPage = parametersOf(route).some((type) => type === PageQuery || type.prototype instanceof PageQuery);
      return takesPage !== (meta(PAGINATED, route) === true);
    });

    expect(routes.some((route) => meta(PAGINATED, route))).toBe(true);
    expect(titles(halfPaged)).toEqual([]);
  });

  it('is documented as a list if its handler returns Page', () => {
    const halfPaged = handlerSources().filter(({ method, decorators }) => {
      const answersPage = /\bPage</.test(method.type?.getText() ?? '');
      return answersPage !== decorators.includes('Lists');
    });

    expect(halfPaged.map(({ title }) => title)).toEqual([]);
  });
});

describe('every handler', () => {
  it('has at most three statements', () => {
    const long = handlerSources().filter(({ method }) => (method.body?.statements.length ?? 0) > 3);

    expect(long.map(({ title }) => title).sort()).toEqual(LONG_HANDLERS);
  });
});

function parametersOf({ controller, name }: AppRoute): (new (...args: never[]) => object)[] {
  const types = Reflect.getMetadata('design:paramtypes', controller.prototype as object, name) as unknown[] | undefined;
  return (types ?? []).filter((type) => typeof type === 'function') as (new (...args: never[]) => object)[];
}

function handlerSources(): { title: string; method: ts.MethodDeclaration; decorators: string[] }[] {
  return sourcesUnder('apps', 'libs')
    .filter((path) => path.endsWith('.controller.ts'))
    .flatMap((path) =>
      nodesOf(parse(path), ts.isMethodDeclaration).map((method) => ({
        title: `${path}: ${method.name.getText()}`,
        method,
        decorators: decoratorsOf(method),
      })),
    )
    .filter(({ decorators }) => decorators.some((name) => /^(Get|Sse|Post|Put|Delete|Patch|All)$/.test(name)));
}
