// node scripts/gcp/google-document.mjs <file>: takes the methods that Landlord uses out of Google's description of a service, with their
// schemas. The descriptions are in the Python package google-api-python-client, in googleapiclient/discovery_cache/documents: compute.v1.json,
// dns.v1.json, iam.v1.json, iamcredentials.v1.json and cloudresourcemanager.v3.json.
import { readFileSync, writeFileSync } from 'node:fs';

const CRUD = ['insert', 'get', 'delete', 'list'];
const COMPUTE = {
  addresses: [...CRUD, 'setLabels'],
  disks: [...CRUD, 'aggregatedList', 'createSnapshot', 'resize', 'setLabels'],
  firewalls: [...CRUD, 'patch'],
  forwardingRules: [...CRUD, 'setLabels'],
  globalOperations: ['get'],
  images: ['get', 'getFromFamily'],
  instanceGroups: [...CRUD, 'addInstances', 'removeInstances', 'listInstances'],
  instances: [
    ...[...CRUD, 'aggregatedList', 'attachDisk', 'detachDisk', 'addAccessConfig', 'deleteAccessConfig'],
    ...['setLabels', 'setMachineType', 'start', 'stop'],
  ],
  machineTypes: ['get'],
  networks: [...CRUD, 'addPeering', 'removePeering'],
  projects: ['get'],
  regionBackendServices: [...CRUD, 'patch'],
  regionHealthChecks: [...CRUD, 'patch'],
  regionOperations: ['get'],
  regions: ['get'],
  serviceAttachments: [...CRUD, 'patch'],
  snapshots: [...CRUD, 'setLabels'],
  subnetworks: CRUD,
  zoneOperations: ['get'],
  zones: ['list'],
};
const SERVICES = {
  compute: COMPUTE,
  dns: { changes: ['create'], resourceRecordSets: ['list'] },
  iam: { 'projects.serviceAccounts': ['get'] },
  iamcredentials: { 'projects.serviceAccounts': ['generateAccessToken'] },
  cloudresourcemanager: { projects: ['testIamPermissions'] },
};
/** What explains, and judges nothing. */
const WORDS = [
  'description',
  'enumDescriptions',
  'enumDeprecated',
  'deprecated',
  'scopes',
  'parameterOrder',
  'readOnly',
];

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error('Name a description of the Python package google-api-python-client, such as compute.v1.json.');
  process.exit(2);
}
const google = JSON.parse(readFileSync(file, 'utf8'));
const METHODS = SERVICES[google.name];
const TARGET = new URL(`../../libs/testing/src/gcp/${google.name}-${google.version}.json`, import.meta.url);
const schemas = new Map();

/** A property of a schema can have the name of a word. */
function withoutWords(value, isNames = false) {
  if (Array.isArray(value)) return value.map((one) => withoutWords(one));
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(([name]) => isNames || !WORDS.includes(name));
  return Object.fromEntries(
    kept.map(([name, one]) => [name, withoutWords(one, name === 'properties' || name === 'parameters')]),
  );
}

function bring(name) {
  if (schemas.has(name)) return;
  schemas.set(name, withoutWords(google.schemas[name]));
  JSON.stringify(google.schemas[name], (key, value) => {
    if (key === '$ref' && typeof value === 'string') bring(value);
    return value;
  });
}

const methods = Object.entries(METHODS).flatMap(([resource, names]) =>
  names.map((name) => {
    const { methods: known } = resource.split('.').reduce((outer, one) => outer.resources[one], google);
    const { id, path, httpMethod, parameters, request, response } = known[name];
    for (const schema of [request, response]) if (schema) bring(schema.$ref);
    return [id, withoutWords({ id, path, httpMethod, parameters, request, response })];
  }),
);
const { revision, parameters } = google;
const taken = {
  revision,
  parameters: withoutWords(parameters, true),
  methods: Object.fromEntries(methods),
  schemas: Object.fromEntries([...schemas].sort(([one], [other]) => (one < other ? -1 : 1))),
};
writeFileSync(TARGET, `${JSON.stringify(taken)}\n`);
console.log(`${methods.length} methods and ${schemas.size} schemas of revision ${revision}`);
