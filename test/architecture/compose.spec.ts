import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { testAuthority } from '@libs/testing';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ipaddr from 'ipaddr.js';
import ts from 'typescript';
import { parse as parseYaml } from 'yaml';
import { readComposeFile, startOrder, type Compose, type Service } from '../../docker/check/compose-file.mjs';
import { readConfig as readMainApiConfig } from '../../apps/main-api/src/config.js';
import { readConfig as readSupervisorConfig } from '../../apps/supervisor/src/config.js';
import { readConfig as readLauncherConfig } from '../../libs/launcher/src/config.js';
import { nodesOf, parse, ROOT } from './sources/sources.js';

const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The part of the Compose specification that this file uses; a misspelt name is not part of it. */
const names = { type: 'array', items: { type: 'string' }, uniqueItems: true };
const closed = (properties: object, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const mapOf = (values: object) => ({ type: 'object', additionalProperties: values });
const range = { type: 'string', pattern: '^(\\d{1,3}\\.){3}\\d{1,3}/\\d{1,2}$' };
const duration = { type: 'string', pattern: '^\\d+(ms|s|m)$' };
const healthcheck = {
  oneOf: [
    closed({ disable: { const: true } }, ['disable']),
    closed(
      {
        test: { type: 'array', minItems: 2, items: { type: 'string' } },
        interval: duration,
        timeout: duration,
        start_period: duration,
        retries: { type: 'integer', minimum: 1 },
      },
      ['test', 'interval', 'timeout', 'retries'],
    ),
  ],
};
const service = closed(
  {
    image: { type: 'string', pattern: '^[a-z0-9/-]+:[a-z0-9.-]+$' },
    command: { type: 'array', minItems: 1, items: { type: 'string' } },
    environment: mapOf({ type: ['string', 'integer'] }),
    secrets: names,
    volumes: names,
    ports: { ...names, items: { type: 'string', pattern: '^127\\.0\\.0\\.1:\\d+:\\d+$' } },
    network_mode: { const: 'none' },
    networks: { anyOf: [names, mapOf(closed({ ipv4_address: { type: 'string', format: 'ipv4' } }))] },
    healthcheck,
    depends_on: mapOf(
      closed({ condition: { enum: ['service_healthy', 'service_completed_successfully'] } }, ['condition']),
    ),
    read_only: { type: 'boolean' },
    tmpfs: names,
    cap_drop: names,
    security_opt: names,
    user: { type: 'string' },
    mem_limit: { type: 'string', pattern: '^\\d+[mg]$' },
    logging: closed({ driver: { const: 'json-file' }, options: mapOf({ type: 'string' }) }, ['driver', 'options']),
    shm_size: { type: 'string', pattern: '^\\d+mb$' },
    stop_grace_period: duration,
    restart: { enum: ['no', 'unless-stopped'] },
  },
  ['image', 'restart', 'mem_limit', 'logging'],
);
/** A service that extends another one has no keys of its own: docker/check/compose-file.mjs would ignore them. */
const extension = closed({
  extends: closed({ file: { type: 'string' }, service: { type: 'string' } }, ['file', 'service']),
});
const COMPOSE_SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    services: mapOf({ oneOf: [service, extension] }),
    networks: mapOf(
      closed({
        ipam: closed({ config: { type: 'array', items: closed({ subnet: range, ip_range: range }, ['subnet']) } }),
        internal: { type: 'boolean' },
      }),
    ),
    volumes: mapOf({ type: 'null' }),
    secrets: mapOf(closed({ file: { type: 'string', pattern: '^\\./secrets/[a-z-]+$' } }, ['file'])),
  },
  patternProperties: { '^x-': {} },
  required: ['name', 'services', 'networks', 'volumes'],
  additionalProperties: false,
};

/** The configuration that each part of Landlord reads, by its command, and the file that declares it. */
const PARTS: Record<string, { files: string[]; read: () => unknown }> = {
  'main-api': { files: ['apps/main-api/src/config.ts', 'libs/domain/src/settings.ts'], read: readMainApiConfig },
  supervisor: {
    files: ['apps/supervisor/src/config.ts', 'apps/supervisor/src/local-settings.ts', 'libs/domain/src/settings.ts'],
    read: readSupervisorConfig,
  },
  migrate: { files: ['libs/launcher/src/config.ts'], read: () => readLauncherConfig() },
};
const FILES = ['compose.yml', 'regions.yml'];
const composeFile = (name: string): Compose => readComposeFile(join(ROOT, 'docker', name));
const isLandlord = ({ image }: Service): boolean => image.startsWith('landlord:');

describe.each(FILES)('%s', (file) => {
  const compose = composeFile(file);
  const services = Object.entries(compose.services);
  const landlord = services.filter(([name, service]) => isLandlord(service) && name !== 'secrets');

  it('conforms to the Compose specification', () => {
    const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, formats: { ipv4: /^(\d{1,3}\.){3}\d{1,3}$/ } });
    const validate = ajv.compile(COMPOSE_SCHEMA);

    validate(parseYaml(text(`docker/${file}`), { merge: true }));

    expect(validate.errors ?? []).toEqual([]);
  });

  it('protects the queue with a password, on another network than the one on which brokers listen', () => {
    const { redis } = compose.services;
    expect(redis?.networks).toEqual(['queue']);
    expect(landlord.filter(([, { networks }]) => !namesOf(networks).includes('queue'))).toEqual([]);
    expect(compose.networks['queue']).toEqual({ internal: true });
    expect(redis?.command?.join(' ')).toContain('requirepass');
    expect(redis?.volumes).toEqual(['redis-secrets:/secrets:ro']);
    expect(GIVEN['redis']).toEqual(['/secrets/redis-password']);
  });

  it.each(landlord)('sets only settings that %s reads', (_, { command: [part = ''] = [], environment = {} }) => {
    const known = (PARTS[part]?.files ?? []).flatMap(settingsDeclaredIn);
    const set = Object.keys(environment).map((name) => name.replace(/_FILE$/, ''));
    // Both apps and the launcher share one block of settings, and none of them reads all settings.
    const shared = Object.values(PARTS).flatMap(({ files }) => files.flatMap(settingsDeclaredIn));
    const ownOnly = set.filter((name) => /^(MAIN_API|SUPERVISOR|GATEWAY|LOCAL|AGENT)/.test(name));

    expect(set.filter((name) => !shared.includes(name))).toEqual([]);
    expect(ownOnly.filter((name) => !known.includes(name))).toEqual([]);
  });

  it.each(landlord)('gives %s valid settings', async (_, { command: [part = ''] = [], environment = {} }) => {
    const { cert, key, caFile } = await testAuthority();
    const directory = dirname(caFile);
    writeFileSync(join(directory, 'compose-cert'), cert);
    writeFileSync(join(directory, 'compose-key'), key);
    const certificates = {
      TLS_CERT: join(directory, 'compose-cert'),
      TLS_KEY: join(directory, 'compose-key'),
      AGENT_CA: caFile,
    };
    const given = Object.entries(environment)
      .filter(([name]) => !name.endsWith('_FILE'))
      .map(([name, value]) => [name, (certificates as Record<string, string>)[name] ?? String(value)]);
    const secrets = {
      DATABASE_URL: 'postgres://landlord:secret@postgres:5432/landlord',
      LANDLORD_SECRET_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
    };

    expect(() => withEnvironment({ ...Object.fromEntries(given), ...secrets }, PARTS[part]!.read)).not.toThrow();
  });

  it('passes secrets as files: each service reads what `secrets` gives it, and nothing else', () => {
    const wrong = services.flatMap(([name, { environment = {}, secrets = [], volumes = [] }]) => {
      const given = volumes.flatMap((mount) => /^([a-z-]+)-secrets:\/secrets:ro$/.exec(mount)?.[1] ?? []);
      const places = [...secrets.map((one) => `/run/secrets/${one}`), ...given.flatMap((one) => GIVEN[one] ?? [])];
      return Object.values(environment)
        .map(String)
        .filter((value) => /^\/(run\/)?secrets\//.test(value) && !places.includes(value))
        .map((value) => `${name} reads ${value}`);
    });
    const mounted = services.filter(([, { volumes = [] }]) => volumes.some((mount) => mount.includes(':/secrets:')));

    expect(wrong).toEqual([]);
    expect(mounted.length).toBeGreaterThan(4);
    expect(mounted.filter(([, { volumes = [] }]) => volumes.some((mount) => /^secrets:/.test(mount)))).toEqual([]);
    expect(Object.keys(compose.secrets ?? {}).filter((name) => !madeCertificates().includes(name))).toEqual([]);
    expect(JSON.stringify(compose.services)).not.toMatch(/password=|:[0-9a-f]{16,}@/i);
  });

  it('creates the secrets in a service without a network, and every other service waits for it', () => {
    const { secrets } = compose.services;

    expect(secrets).toMatchObject({ command: ['secrets'], user: '0:0', network_mode: 'none' });
    expect(startOrder(compose.services)[0]).toBe('secrets');
    const [, ...others] = startOrder(compose.services);
    const waitsFor = (name: string): boolean =>
      Object.keys(compose.services[name]?.depends_on ?? {}).some((other) => other === 'secrets' || waitsFor(other));
    expect(others.filter((name) => !waitsFor(name))).toEqual([]);
  });

  it('waits only for services with a health check, and each permanent service has one', () => {
    const hasCheck = (name: string): boolean => {
      const service = compose.services[name];
      return service?.healthcheck?.test !== undefined;
    };
    const waits = services.flatMap(([, { depends_on: on = {} }]) => Object.entries(on));

    expect(waits.filter(([name]) => !(name in compose.services))).toEqual([]);
    expect(waits.filter(([name, { condition }]) => condition === 'service_healthy' && !hasCheck(name))).toEqual([]);
    expect(services.filter(([name]) => !['migrate', 'secrets'].includes(name) && !hasCheck(name))).toEqual([]);
  });

  it('stores data in declared volumes, and mounts only files that exist', () => {
    const mounts = services.flatMap(([, { volumes = [] }]) => volumes.map((mount) => mount.split(':')[0] ?? ''));
    const files = mounts.filter((source) => source.startsWith('.'));
    const volumes = new Set(mounts.filter((source) => !source.startsWith('.')));

    expect(files.filter((source) => !existsSync(join(ROOT, 'docker', source)))).toEqual([]);
    expect([...volumes].sort()).toEqual(Object.keys(compose.volumes).sort());
  });

  it('names only addresses that no other container gets', () => {
    const [{ subnet, ip_range: others }] = (compose.networks['landlord']?.ipam as any).config;
    const named = services.flatMap(([, { networks }]) =>
      Array.isArray(networks)
        ? []
        : Object.values(networks ?? {}).flatMap(({ ipv4_address: address }) => address ?? []),
    );
    const isIn = (address: string, cidr: string): boolean =>
      ipaddr.IPv4.parse(address).match(ipaddr.IPv4.parseCIDR(cidr));

    expect(named.length).toBeGreaterThan(0);
    expect(new Set(named).size).toBe(named.length);
    expect(named.filter((address) => !isIn(address, subnet) || isIn(address, others))).toEqual([]);
  });

  it('publishes the APIs and nothing else, each at the address that it announces', () => {
    const published = services.flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port]));

    expect(published).toEqual(PUBLISHED[file]);
    for (const [name = '', port = ''] of published)
      if (name !== 'balancer') {
        const { SUPERVISOR_PUBLIC_URL: supervisor, LANDLORD_PUBLIC_URL: main } =
          compose.services[name]?.environment ?? {};
        expect(String(supervisor ?? main)).toBe(`http://localhost:${port.split(':')[1]}`);
      }
  });
});

const PUBLISHED: Record<string, string[][]> = {
  'compose.yml': [
    ['main-api', '127.0.0.1:3000:3000'],
    ['supervisor', '127.0.0.1:4000:4000'],
  ],
  'regions.yml': [
    ['balancer', '127.0.0.1:3000:3000'],
    ['api-us', '127.0.0.1:4000:4000'],
    ['api-eu', '127.0.0.1:4100:4000'],
  ],
};

describe('compose.yml', () => {
  it('runs the database, the queue, the migration and both apps', () => {
    const { services } = composeFile('compose.yml');

    expect(startOrder(services)).toEqual(['secrets', 'postgres', 'redis', 'migrate', 'main-api', 'supervisor']);
    for (const part of Object.keys(PARTS)) expect(services[part]?.command).toEqual([part]);
  });
});

describe('regions.yml', () => {
  const { services } = composeFile('regions.yml');
  const partsOf = (cell: string): [string, Service][] =>
    Object.entries(services).filter(([, { environment }]) => environment?.['SUPERVISOR_CELL'] === cell);

  it.each(['us', 'eu'])('runs the three parts of the Supervisor of %s, which announce the same', (cell) => {
    const parts = partsOf(cell);
    const shared = (name: string): unknown[] => [
      ...new Set(parts.map(([, { environment = {} }]) => environment[name])),
    ];

    const roles = parts.map(([name, { environment }]) => [name, environment?.['LANDLORD_ROLE']]);
    expect(roles).toEqual(['api', 'gateway', 'worker'].map((role) => [`${role}-${cell}`, role]));
    for (const name of ['SUPERVISOR_REGIONS', 'SUPERVISOR_PUBLIC_URL', 'LOCAL_BIND_ADDRESS'])
      expect(shared(name)).toHaveLength(1);
    expect(shared('AGENT_PUBLIC_URL')).toEqual([`https://gateway-${cell}:4001`]);
    expect(text('docker/certificates.sh')).toContain(`DNS:gateway-${cell}`);
    expect(new Set(parts.map(([, { volumes }]) => volumes?.join()))).toEqual(
      new Set([`data-${cell}:/data,supervisor-secrets:/secrets:ro`]),
    );
  });

  it('serves each region by one Supervisor', () => {
    const served = ['us', 'eu'].flatMap((cell) =>
      String(partsOf(cell)[0]?.[1].environment?.['SUPERVISOR_REGIONS']).split(','),
    );

    expect(new Set(served).size).toBe(4);
  });

  it('gives a worker and the balancer the addresses that other services name', () => {
    const address = (name: string): unknown => (services[name]?.networks as any).landlord.ipv4_address;

    for (const cell of ['us', 'eu'])
      expect(address(`worker-${cell}`)).toBe(services[`worker-${cell}`]?.environment?.['LOCAL_BIND_ADDRESS']);
    expect(address('balancer')).toBe(services['main-api-1']?.environment?.['TRUSTED_PROXIES']);
  });

  it('divides the requests over both main APIs, which are equal', () => {
    const servers = [...text('docker/haproxy/haproxy.cfg').matchAll(/^ +server (\S+) (\S+)$/gm)];

    expect(servers.map(([, name, address]) => [name, address])).toEqual([
      ['main-api-1', 'main-api-1:3000'],
      ['main-api-2', 'main-api-2:3000'],
    ]);
    expect(services['main-api-1']).toEqual(services['main-api-2']);
  });
});

describe('the image', () => {
  it('has the Node.js of .nvmrc', () => {
    const { release } = JSON.parse(text('scripts/release/image/node.json')) as { release: string };

    expect(release.split('.')[0]).toBe(text('.nvmrc').trim());
  });
});

const namesOf = (networks: Service['networks']): string[] =>
  Array.isArray(networks) ? networks : Object.keys(networks ?? {});

/** The files of the volume of each service, by the script of the service `secrets`. */
const GIVEN: Record<string, string[]> = Object.fromEntries(
  [...text('docker/secrets.sh').matchAll(/^give ([a-z-]+) (.+)$/gm)].map(([, service = '', files = '']) => [
    service,
    files.split(' ').map((file) => `/secrets/${file}`),
  ]),
);

function madeCertificates(): string[] {
  const script = text('docker/certificates.sh');
  return ['agent-ca', 'gateway-cert', 'gateway-key'].filter((name) => script.includes(name));
}

/** Names of settings in the schema of the source. */
function settingsDeclaredIn(path: string): string[] {
  return nodesOf(parse(path), ts.isPropertyAssignment)
    .map(({ name }) => name.getText())
    .filter((name) => /^[A-Z][A-Z_]+$/.test(name));
}

function withEnvironment(environment: Record<string, string>, work: () => unknown): void {
  const own = process.env;
  process.env = environment;
  try {
    work();
  } finally {
    process.env = own;
  }
}
