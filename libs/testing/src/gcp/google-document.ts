import { readFileSync } from 'node:fs';
import { Ajv, type AnySchemaObject, type ErrorObject, type ValidateFunction } from 'ajv';

/** A schema of Google's discovery format. */
interface DiscoverySchema {
  $ref?: string;
  type?: string;
  format?: string;
  pattern?: string;
  enum?: string[];
  items?: DiscoverySchema;
  properties?: Record<string, DiscoverySchema>;
  additionalProperties?: DiscoverySchema;
  /** The methods that need the member. */
  annotations?: { required?: string[] };
}

interface DiscoveryMethod {
  id: string;
  httpMethod: string;
  /** With the names of parameters: `projects/{project}/zones/{zone}/disks`. */
  path: string;
  parameters: Record<string, { pattern?: string; location: 'path' | 'query' }>;
  request?: { $ref: string };
  response?: { $ref: string };
}

/** The methods of a service that Landlord uses, with their schemas, as Google publishes them. */
interface DiscoveryDocument {
  revision: string;
  /** The query parameters of every method. */
  parameters: Record<string, unknown>;
  methods: Record<string, DiscoveryMethod>;
  schemas: Record<string, DiscoverySchema>;
}

export interface GoogleRequest {
  httpMethod: string;
  /** Below `/compute/v1/` for Compute Engine, else the whole path without the first `/`. */
  path: string;
  query: URLSearchParams;
  /** Undefined: the request has none. */
  body?: unknown;
}

/** The method of a request, and the parameters in its path. */
export interface GoogleCall {
  id: string;
  parameters: Record<string, string>;
}

/** Numbers of 64 bits travel as text, and Google also takes a number. */
const LONG = ['int64', 'uint64', 'fixed64'];
/** Google's document names few of the members that a method needs. */
const NEEDED: Record<string, readonly string[]> = {
  'compute.addresses.insert': ['name'],
  'compute.disks.insert': ['name'],
  'compute.disks.resize': ['sizeGb'],
  'compute.firewalls.insert': ['name', 'network'],
  'compute.forwardingRules.insert': ['name'],
  'compute.instances.attachDisk': ['source'],
  'compute.instances.insert': ['name', 'machineType', 'disks', 'networkInterfaces'],
  'compute.instances.setMachineType': ['machineType'],
  'compute.instanceGroups.addInstances': ['instances'],
  'compute.instanceGroups.insert': ['name'],
  'compute.networks.addPeering': ['networkPeering'],
  'compute.networks.insert': ['name'],
  'compute.networks.removePeering': ['name'],
  'compute.regionBackendServices.insert': ['name'],
  'compute.regionHealthChecks.insert': ['name', 'type'],
  'compute.serviceAttachments.insert': ['name', 'targetService', 'natSubnets', 'connectionPreference'],
  'compute.snapshots.insert': ['name', 'sourceDisk'],
  'compute.subnetworks.insert': ['name', 'network', 'ipCidrRange'],
};
/** Google's document names them, and Google takes the request without them: the name of a peering is in `networkPeering`. */
const NOT_NEEDED: Record<string, readonly string[]> = { 'compute.networks.addPeering': ['name'] };

interface Route {
  method: DiscoveryMethod;
  path: RegExp;
  names: string[];
}

/** Judges requests and answers by Google's own description of a service. A member that Google does not know is a fault. */
export class GoogleDocument {
  private readonly document: DiscoveryDocument;
  private readonly routes: Route[];
  private readonly validators = new Map<string, ValidateFunction>();

  /** @param file The description. Default: the one of Compute Engine */
  constructor(file = new URL('./compute-v1.json', import.meta.url)) {
    this.document = JSON.parse(readFileSync(file, 'utf8')) as DiscoveryDocument;
    this.routes = Object.values(this.document.methods).map(routeOf);
  }

  /** Of Google's document. */
  get revision(): string {
    return this.document.revision;
  }

  get methods(): string[] {
    return Object.keys(this.document.methods);
  }

  /** Null: Landlord uses no such method. */
  match({ httpMethod, path }: Pick<GoogleRequest, 'httpMethod' | 'path'>): GoogleCall | null {
    const route = this.routes.find((one) => one.method.httpMethod === httpMethod && one.path.test(path));
    if (!route) return null;
    const values = route.path.exec(path)?.slice(1) ?? [];
    const parameters = route.names.map((name, index) => [name, decodeURIComponent(values[index] ?? '')] as const);
    return { id: route.method.id, parameters: Object.fromEntries(parameters) };
  }

  /** What is wrong with the request, for a person. Empty: nothing. */
  faultsOf(request: GoogleRequest): string[] {
    const call = this.match(request);
    const method = call && this.document.methods[call.id];
    if (!method) return [`no method ${request.httpMethod} ${request.path}`];
    return [...this.faultsOfParameters(method, call, request.query), ...this.faultsOfBody(method, request.body)];
  }

  /** What is wrong with a successful answer. Empty: nothing. */
  faultsOfAnswer(id: string, answer: unknown): string[] {
    const response = this.document.methods[id]?.response;
    return response ? this.faults(this.validator(id, response.$ref, false), answer) : [`${id} has no answer`];
  }

  private faultsOfParameters({ parameters }: DiscoveryMethod, call: GoogleCall, query: URLSearchParams): string[] {
    const ofPath = Object.entries(call.parameters).filter(
      ([name, value]) => !new RegExp(`^(?:${parameters[name]?.pattern ?? '.*'})$`).test(value),
    );
    const ofQuery = [...query.keys()].filter(
      (name) => parameters[name]?.location !== 'query' && !(name in this.document.parameters),
    );
    return [
      ...ofPath.map(([name, value]) => `the path has ${value} for ${name}`),
      ...ofQuery.map((name) => `the query has ${name}`),
    ];
  }

  private faultsOfBody({ id, request }: DiscoveryMethod, body: unknown): string[] {
    if (!request) return body === undefined ? [] : ['the request has a body'];
    return this.faults(this.validator(id, request.$ref, true), body ?? {});
  }

  private faults(validate: ValidateFunction, value: unknown): string[] {
    return validate(value) ? [] : (validate.errors ?? []).map(sentence);
  }

  private validator(id: string, name: string, isRequest: boolean): ValidateFunction {
    const key = `${id} ${isRequest}`;
    const validator = this.validators.get(key);
    if (validator) return validator;
    const ajv = new Ajv({ strict: false, allErrors: true });
    const schemas = Object.entries(this.document.schemas);
    for (const [one, schema] of schemas) ajv.addSchema(strict(schema, isRequest ? id : null), one);
    const needed = isRequest ? (NEEDED[id] ?? []) : [];
    const validate = ajv.compile({ allOf: [{ $ref: name }, { required: needed }] });
    this.validators.set(key, validate);
    return validate;
  }
}

function routeOf(method: DiscoveryMethod): Route {
  const names: string[] = [];
  const path = method.path.replaceAll(/\{(\+?)(\w+)\}/g, (_all, plus: string, name: string) => {
    names.push(name);
    return plus === '+' ? '(.+)' : '([^/]+)';
  });
  return { method, path: new RegExp(`^${path}$`), names };
}

/** The schema for Ajv. `method`: of the request. Null: of an answer, where Google keeps to no patterns. */
function strict(schema: DiscoverySchema, method: string | null): AnySchemaObject {
  if (schema.$ref !== undefined) return { $ref: schema.$ref };
  const { type, format = '', pattern, properties, additionalProperties, items } = schema;
  const inner = (one: DiscoverySchema): AnySchemaObject => strict(one, method);
  return {
    ...(type !== undefined && type !== 'any' && { type: LONG.includes(format) ? ['string', 'integer'] : type }),
    ...(schema.enum && { enum: schema.enum }),
    ...(pattern !== undefined && method !== null && { pattern: `^(?:${pattern})$` }),
    ...(items && { items: inner(items) }),
    ...(properties && { ...members(properties, inner), ...neededBy(properties, method) }),
    ...(additionalProperties && { additionalProperties: inner(additionalProperties) }),
  };
}

const members = (
  properties: Record<string, DiscoverySchema>,
  inner: (one: DiscoverySchema) => AnySchemaObject,
): AnySchemaObject => ({
  properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, inner(one)])),
  additionalProperties: false,
});

const neededBy = (properties: Record<string, DiscoverySchema>, method: string | null): AnySchemaObject => ({
  required: Object.entries(properties).flatMap(([name, { annotations }]) =>
    method !== null && annotations?.required?.includes(method) && !NOT_NEEDED[method]?.includes(name) ? [name] : [],
  ),
});

const sentence = ({ instancePath, message = '', params }: ErrorObject): string =>
  `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`;
