// node scripts/gcp/compute-document.mjs <compute.v1.json or dns.v1.json>: takes the methods that Landlord uses out of Google's description
// of Compute Engine or Cloud DNS, with their schemas. The descriptions are in the Python package google-api-python-client, in
// googleapiclient/discovery_cache.
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
const DNS = { changes: ['create'], resourceRecordSets: ['list'] };
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
  console.error('Name the file compute.v1.json of the Python package google-api-python-client.');
  process.exit(2);
}
const google = JSON.parse(readFileSync(file, 'utf8'));
const METHODS = { compute: COMPUTE, dns: DNS }[google.name];
const TARGET = new URL(`../../libs/testing/src/gcp/${google.name}-v1.json`, import.meta.url);
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
    const { id, path, httpMethod, parameters, request, response } = google.resources[resource].methods[name];
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
